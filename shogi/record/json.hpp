// Records in JSON: JSON Kifu Format, for other programs, and JSON Lines, our own format, the only one that keeps all
// that the model knows. Foreign JSON is taken apart without trust, by a bounded parser whose errors name the line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

// --- JSON Kifu Format: reads that of any program, normalised or not (a move may name its source, or only which of several
// pieces moves), and writes one JSON text without line breaks. Variations (forks) are left out: the main line counts. It
// knows whole seconds. Source: json-kifu-format's schema; MAX_MOVES as special is tsshogi's addition.

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: " where the JSON
/// itself is broken, and with "moves[N]: " where its content is. Every move must be legal, but for
/// a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_jkf(std::string_view text, std::chrono::minutes utc_offset);

[[nodiscard]] std::string write_jkf(const Record& record, CommentStyle comments);

// --- JSON Lines: everything that is known of a game, one JSON object a line. The first is its head, then one for each
// move, the last its end; what is not known is absent. docs/records.md lists the members.

[[nodiscard]] std::string write_jsonl(const Record& record);

/// The same line by line, for a game that goes on.
class JsonlWriter {
 public:
  /// The head and the moves so far.
  [[nodiscard]] std::string begin(const Record& record);
  /// The next move, which must be legal.
  [[nodiscard]] std::string add(const RecordedMove& move);
  [[nodiscard]] std::string end(const Record& record) const;

 private:
  Position position_ = Position::startpos();
  int ply_ = 0;
};

/// The games of a file, each of which begins with a head. A game without its end is one that was
/// cut short. Errors begin with "line N: ". Every move must be legal.
[[nodiscard]] base::Result<std::vector<Record>> read_jsonl(std::string_view text);

}  // namespace kakehashi::shogi::record
