// KIF and KI2 notation, as Japanese programs write them: moves with their source ("７六歩(77)", "同　銀成(33)",
// "５五角打") and moves as people write them ("▲７六歩", "△同　銀右上不成"), board diagrams, hands, customary starts.
// All text is UTF-8 here; files in Shift_JIS are the shell's business.
// Source: Kakinoki's description of the KIF format; Japan Shogi Association, "how to write moves" (棋譜の表記方法).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi::kif {

/// In moves: "歩" .. "玉", "と", "成香", "成桂", "成銀", "馬", "龍".
[[nodiscard]] const char* piece_name(PieceKind kind);
/// In diagrams, always one character: "杏", "圭", "全" for promoted lance, knight and silver.
[[nodiscard]] const char* piece_letter(PieceKind kind);
/// 1 to 18 as "一" .. "十八".
[[nodiscard]] const char* count_word(int count);

/// A move that `position` allows. `last` is the target of the move before, which "同" repeats.
[[nodiscard]] std::string format_move(const Position& position, const Move& move,
                                      std::optional<Square> last);
/// A triangle of either color in front, blanks behind and the square "(00)" of a drop are taken too. Does not judge legality
/// beyond "such a piece stands there".
[[nodiscard]] base::Result<Move> parse_move(const Position& position, std::string_view text,
                                            std::optional<Square> last);

/// Whether `text` begins as a move does, with a square or 同, rather than with a word for the end of a game.
[[nodiscard]] bool begins_as_move(std::string_view text);

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
  /// Fails when ranks are missing, or the position is impossible (legality.hpp).
  [[nodiscard]] base::Result<Position> finish() const;

 private:
  Position position_;
  int ranks_ = 0;
};

/// A customary start: what the stronger side, white, leaves out and then moves first.
struct Handicap {
  std::string_view name;
  std::string_view jkf;      ///< in JSON Kifu Format
  std::string_view without;  ///< squares of white's camp, two digits each
  std::string_view server = {};  ///< in game names of shogi-server; empty: it knows none
  bool is_rare = false;          ///< other programs do not know its name
};
inline constexpr std::array handicaps{
    Handicap{"平手", "HIRATE", ""},
    Handicap{"香落ち", "KY", "11", "hclance"},
    Handicap{"右香落ち", "KY_R", "91"},
    Handicap{"角落ち", "KA", "22", "hcbishop"},
    Handicap{"飛車落ち", "HI", "82", "hcrook"},
    Handicap{"飛香落ち", "HIKY", "1182", "hcrooklance"},
    Handicap{"二枚落ち", "2", "2282", "hc2p"},
    Handicap{"三枚落ち", "3", "228291", "", true},
    Handicap{"四枚落ち", "4", "11228291", "hc4p"},
    Handicap{"五枚落ち", "5", "1122818291", "", true},
    Handicap{"左五枚落ち", "5_L", "1121228291", "", true},
    Handicap{"六枚落ち", "6", "112122818291", "hc6p"},
    Handicap{"左七枚落ち", "7_L", "11212231818291", "", true},
    Handicap{"右七枚落ち", "7_R", "11212271818291", "", true},
    Handicap{"八枚落ち", "8", "1121223171818291", "hc8p"},
    Handicap{"十枚落ち", "10", "11212231416171818291", "hc10p"}};

/// `giver` leaves the pieces out, of its own camp, and moves first.
[[nodiscard]] Position start_of(const Handicap& handicap, Color giver = Color::white);
/// Null for any other position.
[[nodiscard]] const Handicap* handicap_of(const Position& position);
/// Spaces inside the name do not matter.
[[nodiscard]] std::optional<Position> handicap_position(std::string_view name);

/// Whose move it is, as people write it in front.
inline constexpr std::array<std::string_view, 6> triangles{"▲", "△", "▼", "▽", "☗", "☖"};
/// Whether `text` began with `word`, which is then gone from it.
[[nodiscard]] bool take_word(std::string_view& text, std::string_view word);
/// Drops ASCII and ideographic spaces and tabs at the front.
void skip_blanks(std::string_view& text);

}  // namespace kakehashi::shogi::kif

// KI2: which of several pieces moves is told by where it comes from (右 左 直) and how it goes (上 寄 引).
namespace kakehashi::shogi::ki2 {

/// What tells a move from others of like pieces to the same square, in letters as JSON Kifu Format
/// has them: L 左, C 直, R 右, then U 上, M 寄, D 引; H 打. Empty when nothing needs to be told. Like
/// pieces count even when a pin forbids them to move.
[[nodiscard]] std::string relative(const Position& position, const Move& move);

/// A move that `position` allows, with its triangle. `last` is the target of the move before.
[[nodiscard]] std::string format_move(const Position& position, const Move& move,
                                      std::optional<Square> last);

/// A line of moves, each of which is allowed where those before it lead.
[[nodiscard]] std::vector<std::string> format_line(Position position, const std::vector<Move>& line,
                                                   std::optional<Square> last);

/// One move, with or without a triangle; a source in brackets is taken too. Where the words leave
/// several pieces, those that may not legally move are left out. Fails when none or several remain.
[[nodiscard]] base::Result<Move> parse_move(const Position& position, std::string_view text,
                                            std::optional<Square> last);

}  // namespace kakehashi::shogi::ki2
