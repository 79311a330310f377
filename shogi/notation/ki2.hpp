// KI2 notation: moves as people write them, "▲７六歩", "△同　銀右上不成". Which of several pieces
// moves is told by where it comes from (右 左 直) and how it goes (上 寄 引).
// Source: Japan Shogi Association, "how to write moves" (棋譜の表記方法).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/position.hpp"

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
