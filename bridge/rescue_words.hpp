// What is said of a move that no engine chose. Archives hold it in English: this finds the message that it was. Pure.
#pragma once

#include <string_view>

#include "base/message.hpp"

namespace kakehashi::bridge {

/// "no move came in time; playing a legal move": why, and the move's source.
[[nodiscard]] base::Message rescue_words(const base::Message& why, const base::Message& source);

/// The same, from its English; verbatim where that is none of ours, as another version may have said it.
[[nodiscard]] base::Message archived_rescue(std::string_view english);

}  // namespace kakehashi::bridge
