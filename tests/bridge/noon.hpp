// An instant of the bridge's tests.
#pragma once

#include <chrono>

#include "base/time.hpp"

namespace kakehashi::bridge {

inline constexpr base::SteadyTime noon{std::chrono::hours(12)};

}  // namespace kakehashi::bridge
