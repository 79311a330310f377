// How CSA records spell times, dates and clocks: each value's writer beside its reader. Readers
// take foreign text and give nothing for what they cannot read.
// Source: CSA record file format V2.2 (2008), V3.0 (2024).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Seconds with up to three decimals, none when they are zero: "12", "3.5". Negative times are 0.
[[nodiscard]] std::string format_seconds(base::Millis time);
/// "12", "3.5", "1."; decimals beyond the third are dropped. At most 1,000,000 s.
[[nodiscard]] std::optional<base::Millis> parse_seconds(std::string_view text);

/// "2026/11/21 03:04:05" in the zone of that offset; fractions of a second are dropped.
[[nodiscard]] std::string format_date(base::WallTime time, std::chrono::minutes utc_offset);
/// The same, or the date alone. Years 1 to 9999.
[[nodiscard]] std::optional<base::WallTime> parse_date(std::string_view text,
                                                       std::chrono::minutes utc_offset);

/// "900+0+5" of V3.0's $TIME: total, byoyomi, increment in seconds.
[[nodiscard]] std::string format_clock(const Clock& clock);
[[nodiscard]] std::optional<Clock> parse_clock(std::string_view text);

/// "00:15+10" of $TIME_LIMIT: hours, minutes and byoyomi seconds. It leaves the increment out;
/// nothing when the other two cannot be said exactly.
[[nodiscard]] std::optional<std::string> format_limit(const Clock& clock);
[[nodiscard]] std::optional<Clock> parse_limit(std::string_view text);

// --- what records say about a game as a whole: names, "$" fields, and the comments in which shogi-server and our V2.2
// writer put what that version has no field for

/// "N+name" or "N-name".
void read_name(std::string_view statement, Record& record);

/// "EVENT:…", a field without its "$". Dates are local to record.utc_offset. Unknown fields are
/// left out; values that cannot be read count as not told.
void read_field(std::string_view field, Record& record);

/// "Max_Moves:256", "Increment:10", "$TIME:90+0+5", a comment in front of the moves without its
/// apostrophe. False when it is none of these.
[[nodiscard]] bool read_field_comment(std::string_view comment, Record& record);

/// "52 -3334FU +2726FU #3456" of a "'** " comment; nothing when it does not begin with a score.
[[nodiscard]] std::optional<Evaluation> parse_evaluation(std::string_view text);

}  // namespace kakehashi::shogi::record
