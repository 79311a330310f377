#include "rehearse/server/referee.hpp"

#include <algorithm>
#include <array>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {
namespace {

/// How a game ends, by EndReason: the word of its record, and the lines for both sides.
struct EndingWords {
  EndReason reason;
  const char* summary;
  std::vector<std::string_view> lines;
};

const EndingWords& words_of(EndReason reason) {
  static const std::array words{
      EndingWords{EndReason::resign, "toryo", {"%TORYO", "#RESIGN"}},
      EndingWords{EndReason::time_up, "time up", {"#TIME_UP"}},
      EndingWords{EndReason::illegal_move, "illegal move", {"#ILLEGAL_MOVE"}},
      EndingWords{EndReason::drop_pawn_mate, "uchifuzume", {"#ILLEGAL_MOVE"}},
      EndingWords{EndReason::king_left_in_check, "oute_kaihimore", {"#ILLEGAL_MOVE"}},
      EndingWords{EndReason::declaration, "kachi", {"%KACHI", "#JISHOGI"}},
      EndingWords{EndReason::wrong_declaration, "illegal kachi", {"%KACHI", "#ILLEGAL_MOVE"}},
      EndingWords{EndReason::repetition, "sennichite", {"#SENNICHITE"}},
      EndingWords{EndReason::perpetual_check, "oute_sennichite", {"#OUTE_SENNICHITE"}},
      EndingWords{EndReason::max_moves, "max_moves", {"#MAX_MOVES"}},
      EndingWords{EndReason::abnormal, "abnormal", {"%TORYO", "#RESIGN"}},
      EndingWords{EndReason::illegal_action, "illegal action", {"#ILLEGAL_ACTION"}}};
  return *std::ranges::find(words, reason, &EndingWords::reason);
}

EndReason reason_of(shogi::Verdict verdict) {
  return verdict == shogi::Verdict::drop_pawn_mate       ? EndReason::drop_pawn_mate
         : verdict == shogi::Verdict::king_left_in_check ? EndReason::king_left_in_check
                                                         : EndReason::illegal_move;
}

}  // namespace

const char* summary_word(EndReason reason) { return words_of(reason).summary; }

const std::vector<std::string_view>& end_lines(EndReason reason) { return words_of(reason).lines; }

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

std::string_view result_line(const Ending& ending, shogi::Color side) {
  if (ending.winner) {
    return *ending.winner == side ? "#WIN" : "#LOSE";
  }
  return ending.reason == EndReason::max_moves ? "#CENSORED" : "#DRAW";
}

}  // namespace kakehashi::rehearse::server
