#include "shogi/record/ending.hpp"

namespace kakehashi::shogi::record {

EndingKind ending_of(const EndingFacts& facts) {
  const auto& [reason, loser, mover, after_declaration] = facts;
  const EndingKind foul_by_loser = !loser                  ? EndingKind::error
                                   : *loser == Color::black ? EndingKind::illegal_action_by_black
                                                            : EndingKind::illegal_action_by_white;
  if (reason == "#RESIGN") {
    return EndingKind::toryo;
  }
  if (reason == "#TIME_UP") {
    return EndingKind::time_up;
  }
  if (reason == "#ILLEGAL_MOVE") {
    // %ILLEGAL_MOVE means the side to move; a wrong declaration is a foul, not a move.
    return loser == mover && !after_declaration ? EndingKind::illegal_move : foul_by_loser;
  }
  if (reason == "#ILLEGAL_ACTION" || reason == "#OUTE_SENNICHITE") {
    return foul_by_loser;
  }
  if (reason == "#SENNICHITE") {
    return EndingKind::sennichite;
  }
  if (reason == "#JISHOGI") {
    return EndingKind::kachi;
  }
  if (reason == "#MAX_MOVES" || (reason == "#CENSORED" && !loser)) {
    return EndingKind::max_moves;
  }
  return EndingKind::chudan;
}

}  // namespace kakehashi::shogi::record
