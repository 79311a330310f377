// The two clocks as values. Nothing here reads a clock: time enters the core as an argument.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
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

/// Date and time of day, to the second below: what fmt writes as "{:%Y-%m-%d %H:%M:%S}".
template <class Duration>
[[nodiscard]] std::tm calendar(std::chrono::sys_time<Duration> at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<Seconds>(at) - day);
  std::tm parts{};
  parts.tm_year = static_cast<int>(date.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.tm_hour = static_cast<int>(clock.hours().count());
  parts.tm_min = static_cast<int>(clock.minutes().count());
  parts.tm_sec = static_cast<int>(clock.seconds().count());
  return parts;
}

/// The earlier of two deadlines; nothing: there is none.
[[nodiscard]] inline std::optional<SteadyTime> earlier(std::optional<SteadyTime> one, std::optional<SteadyTime> other) {
  return one && other ? std::min(*one, *other) : one ? one : other;
}

}  // namespace kakehashi::base
