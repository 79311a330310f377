// The two clocks as values. Nothing here reads a clock: time enters the core as an argument.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace kakehashi::base {

using Millis = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

/// The clock that never jumps: every deadline and every measured duration.
using SteadyTime = std::chrono::steady_clock::time_point;
/// The clock on the wall (UTC): dates in records and logs, never a deadline.
using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

/// One instant on both clocks.
struct Now {
  SteadyTime steady{};
  WallTime wall{};
};

/// `later - earlier` in whole milliseconds, rounded down; negative when the order is reversed.
[[nodiscard]] inline Millis millis_between(SteadyTime earlier, SteadyTime later) {
  return std::chrono::floor<Millis>(later - earlier);
}

/// The earlier of two deadlines; nothing: there is none.
[[nodiscard]] inline std::optional<SteadyTime> earlier(std::optional<SteadyTime> one, std::optional<SteadyTime> other) {
  return one && other ? std::min(*one, *other) : one ? one : other;
}

}  // namespace kakehashi::base
