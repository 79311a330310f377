// Dates of other programs, read. Pure.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace kakehashi::base {

/// The reverse of calendar(), by a format of strptime(3) that takes the whole text. Nothing for any other text, and for a day that no
/// calendar has.
[[nodiscard]] inline std::optional<WallTime> read_calendar(const std::string& text, const char* format) {
  std::tm parts{};
  const char* const end = ::strptime(text.c_str(), format, &parts);
  const std::chrono::year_month_day date{std::chrono::year{parts.tm_year + 1900},
                                         std::chrono::month{static_cast<unsigned>(parts.tm_mon) + 1},
                                         std::chrono::day{static_cast<unsigned>(parts.tm_mday)}};
  if (end != text.c_str() + text.size() || !date.ok()) {
    return std::nullopt;
  }
  return std::chrono::sys_days{date} + std::chrono::hours{parts.tm_hour} + std::chrono::minutes{parts.tm_min} +
         Seconds{parts.tm_sec};
}

}  // namespace kakehashi::base
