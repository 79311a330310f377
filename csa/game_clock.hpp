// Both clocks of a game: as its Game_Summary announces them (CSA server protocol 1.2.1, "BEGIN Time"), and what they must
// read after the times that the server announced. The server is the only clock; GameClock is for `go` and for people.
#pragma once

#include <array>
#include <optional>

#include "base/time.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa {

/// One side's clock as a Game_Summary announces it. All values in milliseconds, whatever Time_Unit the server used.
struct TimeControl {
  /// Nothing: no main-time pool (a byoyomi-only game, or with no byoyomi either: untimed).
  std::optional<base::Millis> total{};
  base::Millis byoyomi{0};
  /// Added at the beginning of each own turn, the first included.
  base::Millis increment{0};
  base::Millis delay{0};                ///< already taken off each T by the server
  base::Millis least_time_per_move{0};  ///< already charged in each T
  bool rounds_up = false;               ///< Time_Roundup:YES
  base::Millis unit{1'000};             ///< Time_Unit; some servers count T in it
  /// shogi-server's stop-watch clock: announces Time_Unit:1min while the numbers are seconds.
  bool is_stop_watch = false;

  /// No limit at all: no Time block, or all zero ("-0-0").
  [[nodiscard]] bool is_untimed() const {
    return total.value_or(base::Millis{0}).count() == 0 && byoyomi.count() == 0 &&
           increment.count() == 0;
  }

  friend bool operator==(const TimeControl&, const TimeControl&) = default;
};

/// Both clocks.
struct TimeControls {
  TimeControl black;
  TimeControl white;

  friend bool operator==(const TimeControls&, const TimeControls&) = default;
};

/// It follows shogi-server's clock: M starts at Total_Time, and a move that took T makes it max(0, M + Increment - T).
class GameClock {
 public:
  GameClock() = default;
  explicit GameClock(const TimeControls& controls);

  /// Charges a move's T. Negative or absurd times (over a day) are clamped.
  void charge(shogi::Color mover, base::Millis consumed);

  /// Main time left before this turn's increment (M). Zero for untimed sides.
  [[nodiscard]] base::Millis main_time(shogi::Color color) const {
    return main_times_[static_cast<std::size_t>(color)];
  }
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
  std::array<base::Millis, 2> main_times_{};  ///< by color
};

}  // namespace kakehashi::csa
