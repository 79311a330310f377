// By itself: who writes to no stream, as the keeper does, is not linked with them.
#include <ostream>

#include "base/message.hpp"

namespace kakehashi::base {

std::ostream& operator<<(std::ostream& out, const Message& message) { return out << message.english(); }

}  // namespace kakehashi::base
