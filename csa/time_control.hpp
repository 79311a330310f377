// One side's clock as a Game_Summary announces it. All values in milliseconds, whatever Time_Unit
// the server used. Source: CSA server protocol 1.2.1, "BEGIN Time".
#pragma once

#include <optional>

#include "base/time.hpp"

namespace kakehashi::csa {

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

}  // namespace kakehashi::csa
