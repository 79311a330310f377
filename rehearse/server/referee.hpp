// The rules of one game, without its time: what a line of the side to move means on the board.
// Source: shogi-server's order of judgement: form, declaration and resignation; legality; own king
// in check; drop-pawn mate; perpetual check; repetition; move limit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rehearse/server/game_report.hpp"
#include "shogi/game_end.hpp"
#include "shogi/move.hpp"
#include "shogi/position.hpp"

namespace kakehashi::rehearse::server {

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

// The last lines of a game, reason and result, word for word as shogi-server sends them (the last as the
// protocol 1.2.1 has it); the echo
// of a last move has gone out before. Source: shogi-server, every ending observed.

/// Before the result; the table stands in the source.
[[nodiscard]] const std::vector<std::string_view>& end_lines(EndReason reason);
/// #WIN or #LOSE; without a winner #DRAW, at the limit of moves #CENSORED.
[[nodiscard]] std::string_view result_line(const Ending& ending, shogi::Color side);

}  // namespace kakehashi::rehearse::server
