// What became of the time of our moves: granted by the server, offered to the engine, used, charged,
// and lost on the link. Plain sums for the log, the record and the live view.
#pragma once

#include <string>

#include "base/time.hpp"

namespace kakehashi::bridge {

struct MoveTime {
  base::Millis entitled{0};  ///< all that the server granted for the move
  base::Millis given{0};     ///< what the engine was offered of it
  base::Millis used{0};      ///< from the turn's start to the move's departure, by our clock
  base::Millis charged{0};   ///< T, by the server's
  /// At least this much of T passed on the way: T is rounded down.
  [[nodiscard]] base::Millis lost() const {
    return charged > used ? charged - used : base::Millis{0};
  }
};

struct TimeTally {
  int moves = 0;
  MoveTime sum;
  base::Millis lost{0};

  void take(const MoveTime& move);
  void add(const TimeTally& other);
  /// Of the granted time, what the engine was offered: tenths of a percent.
  [[nodiscard]] int share_permille() const;
};

/// Of the bot's games so far.
template <class Tally>
struct Totals {
  int games = 0;
  Tally sum{};
};

/// "granted 310 s, offered 309 s, used 4.1 s, charged 4 s, lost 0 ms".
[[nodiscard]] std::string describe(const MoveTime& time);
/// "in 37 moves the engine was offered 99.7 % of the time granted; used 12 min …".
[[nodiscard]] std::string describe(const TimeTally& tally);

}  // namespace kakehashi::bridge
