// KIF notation: moves ("７六歩(77)", "同　銀成(33)", "５五角打"), board diagrams and hands, as Japanese
// programs write them. All text is UTF-8 here; files in Shift_JIS are the shell's business.
// Source: Kakinoki's description of the KIF format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi::kif {

/// In moves: "歩" .. "玉", "と", "成香", "成桂", "成銀", "馬", "龍".
[[nodiscard]] const char* piece_name(PieceKind kind);
/// In diagrams, always one character: "杏", "圭", "全" for promoted lance, knight and silver.
[[nodiscard]] const char* piece_letter(PieceKind kind);
/// "７六"
[[nodiscard]] std::string square_name(Square square);

/// A move that `position` allows. `last` is the target of the move before, which "同" repeats.
[[nodiscard]] std::string format_move(const Position& position, const Move& move,
                                      std::optional<Square> last);
/// A triangle of either color in front and blanks behind are taken too. Does not judge legality
/// beyond "such a piece stands there".
[[nodiscard]] base::Result<Move> parse_move(const Position& position, std::string_view text,
                                            std::optional<Square> last);

/// White's hand, the board with its frame, black's hand, the turn: 14 lines that end with LF.
[[nodiscard]] std::string format_board(const Position& position);

/// Builds a position from the lines of a diagram. Feed each line that begins with '|', the hands,
/// and the turn, then finish(). After an error, feed nothing more.
class BoardReader {
 public:
  /// "|v香v桂 ・ …|一": nothing on success.
  [[nodiscard]] std::optional<base::ParseError> feed_rank(std::string_view line);
  /// What stands behind "先手の持駒：": "飛　金二　歩十八", "なし" or nothing.
  [[nodiscard]] std::optional<base::ParseError> feed_hand(Color color, std::string_view text);
  void set_side_to_move(Color color) { position_.set_side_to_move(color); }

  /// Whether any rank was fed.
  [[nodiscard]] bool has_board() const { return ranks_ > 0; }
  /// Fails when ranks are missing, or the position is impossible (possible.hpp).
  [[nodiscard]] base::Result<Position> finish() const;

 private:
  Position position_;
  int ranks_ = 0;
};

/// The custom by which a start is named: "平手", or what the stronger side, white, leaves out and
/// then moves first: "香落ち" .. "十枚落ち". Nothing for any other position.
[[nodiscard]] std::optional<std::string_view> handicap_name(const Position& position);
/// Spaces inside the name do not matter.
[[nodiscard]] std::optional<Position> handicap_position(std::string_view name);

}  // namespace kakehashi::shogi::kif
