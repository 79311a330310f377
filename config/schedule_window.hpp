// One text of schedule.windows: "20:00-23:30", "mon-fri 22:00-06:30", "sat,sun 10:00-24:00". Pure; it
// knows no zone and no date.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "config/schema/judge_text.hpp"

namespace kakehashi::config {

struct ScheduleWindow {
  std::array<bool, 7> days{};  ///< on which it opens, Sunday first
  int from = 0;                ///< minutes after midnight
  int until = 0;               ///< excluded; not after `from`: on the next day
};

/// Nothing when it cannot be read.
[[nodiscard]] std::optional<ScheduleWindow> parse_window(std::string_view text);

/// What is wrong with it, as the end of a sentence.
[[nodiscard]] Complaint judge_window(std::string_view text);

inline constexpr const char* accepted_windows = "[days ]HH:MM-HH:MM, such as mon-fri 20:00-23:30; at most 100";

}  // namespace kakehashi::config
