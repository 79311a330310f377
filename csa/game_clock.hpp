// What both clocks must read after the times that the server announced. It follows shogi-server's
// clock: M starts at Total_Time, and a move that took T makes it max(0, M + Increment - T).
// The server is the only clock; this game_clock is for `go` and for people.
#pragma once

#include "base/time.hpp"
#include "csa/time_control.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa {

class GameClock {
 public:
  GameClock() = default;
  explicit GameClock(const TimeControls& controls);

  /// Charges a move's T. Negative or absurd times (over a day) are clamped.
  void charge(shogi::Color mover, base::Millis consumed);

  /// Main time left before this turn's increment (M). Zero for untimed sides.
  [[nodiscard]] base::Millis main_time(shogi::Color color) const;
  /// All that a move starting now may take: M + increment + byoyomi. Reaching it exactly loses.
  /// Nothing when the side is untimed.
  [[nodiscard]] std::optional<base::Millis> budget(shogi::Color color) const;
  [[nodiscard]] const TimeControl& control(shogi::Color color) const;

  /// Neither clock stands above Total_Time then. Behind listed moves: shogi-server starts both clocks of a
  /// prepared position at Total_Time, whatever the listed T say, and nothing on the wire tells. A side to
  /// which they leave no time at all has Total_Time: a server that charged them would have ended the game.
  void cap_at_total();

  /// Sets a clock to a value that the server announced (reconnection).
  void set_main_time(shogi::Color color, base::Millis main_time);

 private:
  TimeControls controls_;
  base::Millis black_{0};
  base::Millis white_{0};
};

}  // namespace kakehashi::csa
