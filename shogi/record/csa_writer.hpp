// Writes CSA game records, V2.2 and V3.0, as the game goes on: what was written so far is a
// complete record at every moment. Source: CSA record file format V2.2 (2008), V3.0 (2024).
// Names and comments come from peers: no byte of theirs can begin a new line.
#pragma once

#include <string>

#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

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

/// "%TORYO", …; V2.2 has no %MAX_MOVES and gets %HIKIWAKE for it.
[[nodiscard]] const char* csa_word(EndingKind kind, CsaVersion version);

}  // namespace kakehashi::shogi::record
