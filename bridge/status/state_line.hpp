// The state of a bot in one line for a person: "playing black against \"foe\", move 34, …".
#pragma once

#include <string>

#include "base/time.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge {

[[nodiscard]] std::string describe_state(const View& view, base::SteadyTime now);

}  // namespace kakehashi::bridge
