// Time zones as lists of offsets, from a fixed offset or from a zone file. Pure: what a zone's name
// stands for on this machine is the business of config/io.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/game_config.hpp"
#include "config/schema/judge_text.hpp"

namespace kakehashi::config {

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
