#include "rehearsal/end_lines.hpp"

namespace kakehashi::rehearsal {

std::vector<std::string_view> end_lines(EndReason reason) {
  switch (reason) {
    case EndReason::resign:
    case EndReason::abnormal:
      return {"%TORYO", "#RESIGN"};
    case EndReason::time_up:
      return {"#TIME_UP"};
    case EndReason::illegal_move:
    case EndReason::drop_pawn_mate:
    case EndReason::king_left_in_check:
      return {"#ILLEGAL_MOVE"};
    case EndReason::declaration:
      return {"%KACHI", "#JISHOGI"};
    case EndReason::wrong_declaration:
      return {"%KACHI", "#ILLEGAL_MOVE"};
    case EndReason::repetition:
      return {"#SENNICHITE"};
    case EndReason::perpetual_check:
      return {"#OUTE_SENNICHITE"};
    case EndReason::max_moves:
      return {"#MAX_MOVES"};
    case EndReason::illegal_action:
      return {"#ILLEGAL_ACTION"};
  }
  return {};
}

std::string_view result_line(const Ending& ending, shogi::Color side) {
  if (ending.winner) {
    return *ending.winner == side ? "#WIN" : "#LOSE";
  }
  return ending.reason == EndReason::max_moves ? "#CENSORED" : "#DRAW";
}

}  // namespace kakehashi::rehearsal
