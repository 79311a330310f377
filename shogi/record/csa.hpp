// CSA game records: reads those of any program, V1 to V3.0, and writes V2.2 and V3.0.
// Source: CSA record file format V2.2 (2008), V3.0 (2024).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

// --- reading: bytes of names and comments are passed through as they are; nothing in a file can do more than give an
// error that names its line

/// The records of a file, which "/" lines separate; none when there are only comments. Dates are
/// taken as local to that offset from UTC. Errors begin with "line N: ". Every move must be legal,
/// but for a last one that a foul's special move follows: it becomes a comment of the ending,
/// "ILLEGAL_MOVE(+7775FU)". What shogi-server tells in comments only is understood: the limit of
/// moves, the increment, when and (in the summary) how the game ended.
[[nodiscard]] base::Result<std::vector<Record>> read_csa(
    std::string_view text, std::chrono::minutes utc_offset = std::chrono::minutes{0});

// --- writing, as the game goes on: what was written so far is a complete record at every moment. Names and comments
// come from peers: no byte of theirs can begin a new line.

enum class CsaVersion { v2_2, v3_0 };

class CsaWriter {
 public:
  explicit CsaWriter(CsaVersion version, CommentStyle comments = CommentStyle::automatic)
      : version_(version), comments_(comments) {}

  /// Everything before the first move. Restarts the writer.
  [[nodiscard]] std::string begin(const Record& record);
  /// The next move, legal where the last one ended.
  [[nodiscard]] std::string add(const RecordedMove& move);
  [[nodiscard]] std::string end(const Ending& ending) const;

  /// begin(), every move and the ending, if there is one.
  [[nodiscard]] static std::string whole(const Record& record, CsaVersion version,
                                         CommentStyle comments = CommentStyle::automatic);

 private:
  CsaVersion version_;
  CommentStyle comments_;
  Position position_;
};

// --- how times, dates and clocks are spelled: each value's writer beside its reader, which takes foreign text and gives
// nothing for what it cannot read

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

/// "00:15+10" of $TIME_LIMIT: hours, minutes and byoyomi seconds. It leaves the increment out.
[[nodiscard]] std::optional<Clock> parse_limit(std::string_view text);

/// "EVENT:…", a field without its "$". Dates are local to record.utc_offset. Unknown fields are
/// left out; values that cannot be read count as not told.
void read_field(std::string_view field, Record& record);

/// "52 -3334FU +2726FU #3456" of a "'** " comment; nothing when it does not begin with a score.
[[nodiscard]] std::optional<Evaluation> parse_evaluation(std::string_view text);

}  // namespace kakehashi::shogi::record
