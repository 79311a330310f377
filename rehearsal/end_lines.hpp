// The last lines of a game, reason and result, word for word as shogi-server sends them (the last as the
// protocol 1.2.1 has it); the echo
// of a last move has gone out before. Source: shogi-server, every ending observed.
#pragma once

#include <string_view>
#include <vector>

#include "rehearsal/referee.hpp"

namespace kakehashi::rehearsal {

/// |                        | lines for both        | winner, loser | without a winner |
/// | ---------------------- | --------------------- | ------------- | ---------------- |
/// | resign, abnormal       | %TORYO #RESIGN        | #WIN, #LOSE   |                  |
/// | time_up                | #TIME_UP              | #WIN, #LOSE   |                  |
/// | illegal_move, uchifu-  | #ILLEGAL_MOVE         | #WIN, #LOSE   |                  |
/// |   zume, oute_kaihimore |                       |               |                  |
/// | declaration            | %KACHI #JISHOGI       | #WIN, #LOSE   |                  |
/// | wrong_declaration      | %KACHI #ILLEGAL_MOVE  | #WIN, #LOSE   |                  |
/// | perpetual_check        | #OUTE_SENNICHITE      | #WIN, #LOSE   |                  |
/// | repetition             | #SENNICHITE           |               | #DRAW            |
/// | max_moves              | #MAX_MOVES            |               | #CENSORED        |
/// | illegal_action         | #ILLEGAL_ACTION       | #WIN, #LOSE   |                  |
[[nodiscard]] std::vector<std::string_view> end_lines(EndReason reason);
[[nodiscard]] std::string_view result_line(const Ending& ending, shogi::Color side);

}  // namespace kakehashi::rehearsal
