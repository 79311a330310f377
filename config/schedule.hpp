// The texts of `schedule`: windows, and time zones as lists of offsets, from a fixed offset or from a zone file. Pure: it
// knows no date, and what a zone's name stands for on this machine is the business of config/io.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/game_config.hpp"
#include "config/schema/text.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {

/// One text of schedule.windows: "20:00-23:30", "mon-fri 22:00-06:30", "sat,sun 10:00-24:00".
struct ScheduleWindow {
  std::array<bool, 7> days{};  ///< on which it opens, Sunday first
  DaySpan span;
};

/// Nothing when it cannot be read.
[[nodiscard]] std::optional<ScheduleWindow> parse_window(std::string_view text);

/// What is wrong with it, as the end of a sentence.
[[nodiscard]] Complaint judge_window(std::string_view text);

/// "UTC", "+09:00", "-03:30".
[[nodiscard]] std::optional<std::chrono::seconds> parse_fixed_zone(std::string_view text);

/// The bytes of a zone file (TZif, RFC 9636): the offsets from `now` on. The error is the end of a
/// sentence. A file whose table ends with summer times still to come is refused: what it says of
/// them by a rule alone is not read.
[[nodiscard]] base::Result<std::vector<ZoneOffset>> read_zone_file(std::string_view bytes,
                                                                   base::WallTime now);

/// How far local time is ahead of UTC; 0 without offsets.
[[nodiscard]] std::chrono::seconds offset_at(const std::vector<ZoneOffset>& offsets, base::WallTime at);

[[nodiscard]] Complaint judge_zone(std::string_view text);

}  // namespace kakehashi::config
