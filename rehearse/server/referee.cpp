#include "rehearse/server/referee.hpp"

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {
namespace {

EndReason reason_of(shogi::Verdict verdict) {
  switch (verdict) {
    case shogi::Verdict::drop_pawn_mate:
      return EndReason::drop_pawn_mate;
    case shogi::Verdict::king_left_in_check:
      return EndReason::king_left_in_check;
    case shogi::Verdict::legal:
    case shogi::Verdict::no_piece_there:
    case shogi::Verdict::own_piece_on_target:
    case shogi::Verdict::piece_does_not_move_so:
    case shogi::Verdict::cannot_promote:
    case shogi::Verdict::must_promote:
    case shogi::Verdict::no_further_move:
    case shogi::Verdict::two_pawns:
      return EndReason::illegal_move;
  }
  return EndReason::illegal_move;
}

}  // namespace

const char* summary_word(EndReason reason) {
  switch (reason) {
    case EndReason::resign:
      return "toryo";
    case EndReason::time_up:
      return "time up";
    case EndReason::illegal_move:
      return "illegal move";
    case EndReason::drop_pawn_mate:
      return "uchifuzume";
    case EndReason::king_left_in_check:
      return "oute_kaihimore";
    case EndReason::declaration:
      return "kachi";
    case EndReason::wrong_declaration:
      return "illegal kachi";
    case EndReason::repetition:
      return "sennichite";
    case EndReason::perpetual_check:
      return "oute_sennichite";
    case EndReason::max_moves:
      return "max_moves";
    case EndReason::abnormal:
      return "abnormal";
    case EndReason::illegal_action:
      return "illegal action";
  }
  return "abnormal";
}

Referee::Referee(const shogi::Position& start, int max_moves)
    : position_(start), max_moves_(max_moves) {}

bool Referee::play_listed(std::string_view text) {
  const auto move = shogi::csa::parse_move(position_, text);
  if (!move || !shogi::is_legal(position_, *move)) {
    return false;
  }
  position_.play(*move);
  ++plies_;
  // A prepared start that already decides the game is still played: only the next move is judged.
  (void)repetition_.after_move(position_);
  return true;
}

Ruling Referee::lost(EndReason reason) const {
  return {"", std::nullopt, Ending{reason, shogi::opposite(position_.side_to_move())}};
}

Ruling Referee::judge_word(std::string_view line) const {
  if (line.starts_with("%TORYO")) {
    return lost(EndReason::resign);
  }
  if (!line.starts_with("%KACHI")) {
    return lost(EndReason::illegal_move);
  }
  const auto declarer = position_.side_to_move();
  auto ruling = lost(EndReason::wrong_declaration);
  if (shogi::judge_declaration(position_, declarer).is_valid()) {
    ruling.ending = Ending{EndReason::declaration, declarer};
  }
  ruling.echo = "%KACHI";
  return ruling;
}

Ruling Referee::judge(std::string_view line) {
  if (line.starts_with('%')) {
    return judge_word(line);
  }
  const auto text = line.substr(0, line.find(','));
  const auto mover = position_.side_to_move();
  const auto move = shogi::csa::parse_move(position_, text);
  if (!move) {
    return lost(EndReason::illegal_move);
  }
  const auto verdict = shogi::judge(position_, *move);
  if (verdict != shogi::Verdict::legal) {
    return lost(reason_of(verdict));
  }
  position_.play(*move);
  ++plies_;
  return {std::string(text), *move, ending_after(mover)};
}

std::optional<Ending> Referee::ending_after(shogi::Color mover) {
  switch (repetition_.after_move(position_)) {
    case shogi::Repetition::perpetual_check_by_mover:
      return Ending{EndReason::perpetual_check, shogi::opposite(mover)};
    case shogi::Repetition::perpetual_check_by_other:
      return Ending{EndReason::perpetual_check, mover};
    case shogi::Repetition::draw:
      return Ending{EndReason::repetition, std::nullopt};
    case shogi::Repetition::none:
      break;
  }
  if (max_moves_ > 0 && plies_ >= max_moves_) {
    return Ending{EndReason::max_moves, std::nullopt};
  }
  return std::nullopt;
}

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

}  // namespace kakehashi::rehearse::server
