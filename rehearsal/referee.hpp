// The rules of one game, without its time: what a line of the side to move means on the board.
// Source: shogi-server's order of judgement: form, declaration and resignation; legality; own king
// in check; drop-pawn mate; perpetual check; repetition; move limit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rehearsal/game_report.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"
#include "shogi/repetition.hpp"

namespace kakehashi::rehearsal {

struct Ending {
  EndReason reason;
  std::optional<shogi::Color> winner;
};

struct Ruling {
  std::string echo;  ///< both sides get it with ",T<n>"; empty: nothing is echoed
  std::optional<shogi::Move> move;
  std::optional<Ending> ending;
};

class Referee {
 public:
  /// `max_moves` counts all plies; 0: no limit.
  Referee(const shogi::Position& start, int max_moves);

  /// Plays a move of a prepared start. False, and nothing played, when it is not legal.
  [[nodiscard]] bool play_listed(std::string_view move);

  /// Judges a line that begins with '+', '-' or '%', and plays it when it is a legal move.
  [[nodiscard]] Ruling judge(std::string_view line);

  [[nodiscard]] const shogi::Position& position() const { return position_; }
  [[nodiscard]] int plies() const { return plies_; }

 private:
  [[nodiscard]] Ruling judge_word(std::string_view line) const;
  [[nodiscard]] Ruling lost(EndReason reason) const;
  [[nodiscard]] std::optional<Ending> ending_after(shogi::Color mover);

  shogi::Position position_;
  shogi::RepetitionCounter repetition_;
  int max_moves_;
  int plies_ = 0;
};

}  // namespace kakehashi::rehearsal
