// KIF and KI2 records: reads those of any program, in UTF-8, and writes them so; the shell turns the text of .kif and
// .ki2 files into Shift_JIS. Variations (変化) are left out: the main line counts. Nothing in a file can do more than give
// an error that names its line. KIF knows whole seconds, KI2 no times at all.
// Source: Kakinoki's description of the KIF format; the keys of tsshogi for what only CSA V3.0 has.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/record/ending.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: ". Every move must
/// be legal, but for a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_kif(std::string_view text, std::chrono::minutes utc_offset);
[[nodiscard]] base::Result<Record> read_ki2(std::string_view text, std::chrono::minutes utc_offset);

/// Which encoding the first line of a KIF file names: the one it will be stored in.
enum class KifEncoding { shift_jis, utf8 };

[[nodiscard]] std::string write_kif(const Record& record, KifEncoding encoding,
                                    CommentStyle comments);

/// Six moves a line. Comments on the ending stand before the ending's sentence: readers know none
/// behind it.
[[nodiscard]] std::string write_ki2(const Record& record, CommentStyle comments);

// --- what the head of a KIF, KI2 or JKF record says of a game as a whole: pairs of a Japanese key and a text. KIF and KI2
// write them as "key：text" lines, JKF as its header object.

/// 開始日時, 終了日時, 棋戦, 場所, 持ち時間, 先手持ち時間 (exact, as V3.0's $TIME), 最大手数, 持将棋,
/// and the names. Texts are UTF-8 within one line. The start position is not among them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> kif_fields(const Record& record);

/// One field of those; dates are local to record.utc_offset. False for keys it does not know,
/// among them all of the start position.
bool read_kif_field(std::string_view key, std::string_view value, Record& record);

/// A customary start whose name other programs know; null for all others, which are drawn.
[[nodiscard]] const shogi::kif::Handicap* known_handicap(const Position& start);

/// 下手 and 上手 in customary handicap games, else 先手 and 後手.
[[nodiscard]] SideNames side_names(const Record& record);

/// Walks through the moves of a record; the formats differ in what they make of each.
struct Walk {
  Position position;
  std::optional<Square> last = std::nullopt;
  base::Millis spent[2] = {base::Millis{0}, base::Millis{0}};
  std::size_t ply = 0;

  [[nodiscard]] Color mover() const { return position.side_to_move(); }
  /// The time of the side to move, this one included.
  base::Millis spend(base::Millis time) { return spent[static_cast<int>(mover())] += time; }
  void play(const Move& move) {
    position.play(move);
    last = move.to();
    ++ply;
  }
  [[nodiscard]] std::vector<std::string> comments_of(const RecordedMove& move, CommentStyle style) const {
    std::vector<std::string> lines =
        move.evaluation ? search_comment(style, *move.evaluation, position, last) : std::vector<std::string>{};
    lines.insert(lines.end(), move.comments.begin(), move.comments.end());
    return lines;
  }
};

}  // namespace kakehashi::shogi::record
