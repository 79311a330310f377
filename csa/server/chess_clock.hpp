// The clocks of one game as shogi-server keeps them: whole seconds, rounded down, no allowance for
// the network. It is told when a turn began and when a line was read, and reads no clock itself.
// Source: shogi-server's ChessClock, ChessClockWithLeastZero and StopWatchClock, as observed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/time.hpp"
#include "csa/server/game_name.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa::server {

/// M is a side's main time, t what a turn took:
///
///   | clock      | t                         | lost when                     | else M becomes       |
///   | ---------- | ------------------------- | ----------------------------- | -------------------- |
///   | untimed    | max(floor, least)         | never                         | stays                |
///   | ordinary   | max(floor, least)         | M - t + byoyomi + increment   | max(0, M + inc - t)  |
///   |            |                           |   <= 0: reaching it exactly   |                      |
///   | stop-watch | floor to slices of NN s   | M <= t                        | M - t                |
class ChessClock {
 public:
  explicit ChessClock(const ClockRules& rules);

  /// What a turn of that length is charged, in seconds; nothing when it lost on time.
  [[nodiscard]] std::optional<std::int64_t> judge(shogi::Color mover,
                                                  base::SteadyTime turn_began,
                                                  base::SteadyTime now) const;
  /// Charges a turn that judge() allowed.
  void charge(shogi::Color mover, std::int64_t seconds);

  /// The first instant at which a turn that began then is lost; nothing when untimed.
  [[nodiscard]] std::optional<base::SteadyTime> expiry(shogi::Color mover,
                                                       base::SteadyTime turn_began) const;

  /// M of that side.
  [[nodiscard]] std::int64_t main_time_s(shogi::Color color) const {
    return main_s_[static_cast<std::size_t>(color)];
  }
  [[nodiscard]] const ClockRules& rules() const { return rules_; }

 private:
  [[nodiscard]] std::int64_t charged_s(base::SteadyTime turn_began, base::SteadyTime now) const;

  ClockRules rules_;
  std::array<std::int64_t, 2> main_s_;
};

}  // namespace kakehashi::csa::server
