// A file of positions from which games are to start, one a line, as engines' testers share them. Pure: text in,
// positions out, or the line that cannot be used.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"

namespace kakehashi::rehearse {

struct StartPosition {
  shogi::Position start = shogi::Position::startpos();
  std::vector<shogi::Move> moves;  ///< legal ones, which lead to where the game begins
};

inline constexpr std::size_t start_positions_max = 1'000'000;
inline constexpr std::size_t start_moves_max = 512;

/// "startpos", "startpos moves 7g7f …", "sfen BOARD SIDE HANDS [NUMBER] [moves …]", the same behind "position",
/// or an SFEN by itself. Empty lines and those that begin with '#' are passed over. The error begins with the
/// number of the line: what is not understood, a move that is not legal, a position in which no game can begin.
[[nodiscard]] base::Result<std::vector<StartPosition>, base::Message> read_start_positions(std::string_view text);

/// "+7776FU" and so on.
[[nodiscard]] std::vector<std::string> csa_moves(const StartPosition& position);

}  // namespace kakehashi::rehearse
