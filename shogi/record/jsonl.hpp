// JSON Lines: everything that is known of a game, one JSON object a line. The first is its head, then
// one for each move, the last its end; what is not known is absent. docs/records.md lists the
// members. It is our own format, the only one that keeps all that the model knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

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
