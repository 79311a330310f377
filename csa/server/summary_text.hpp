// The Game_Summary block, line by line in shogi-server's order and words, and the same block as
// %%SHOW prints it for a game that runs.
#pragma once

#include <string>
#include <vector>

#include "csa/server/game_room.hpp"

namespace kakehashi::csa::server {

/// For that side: with its Your_Turn, with the start and the moves of a prepared start.
[[nodiscard]] std::vector<std::string> summary_lines(const GameRoom& room, shogi::Color side);
/// For spectators: no Your_Turn; remaining times, the last move, the present board.
[[nodiscard]] std::vector<std::string> show_lines(const GameRoom& room);

/// The lines of a text of which each ends with LF, without their ends.
[[nodiscard]] std::vector<std::string> board_lines(const shogi::Position& position);

}  // namespace kakehashi::csa::server
