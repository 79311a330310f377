// What became of the time of our moves: granted by the server, had by the engine, used, charged, and
// lost on the link. Plain sums for the log, the record, the archive and the live view.
#pragma once

#include "base/message.hpp"
#include "base/time.hpp"

namespace kakehashi::bridge {

struct MoveTime {
  base::Millis entitled{0};  ///< all that the server granted for the move
  base::Millis had{0};       ///< what the engine could use of it
  base::Millis used{0};      ///< from the turn's start to the move's departure, by our clock
  base::Millis charged{0};   ///< T, by the server's
  /// Of `entitled`, what this turn brought: the increment, the byoyomi if it was begun, and with the
  /// first turn the main time.
  base::Millis added{0};
  base::Millis left{0};      ///< main time behind the move: what was not used of it comes again
  /// At least this much of T passed on the way: T is rounded down.
  [[nodiscard]] base::Millis lost() const {
    return charged > used ? charged - used : base::Millis{0};
  }
};

/// The one figure of a game's strength is had() of `granted`: of the time that the server granted, what
/// the engine could use. Main time that was kept back on one turn and is still there on the next was not
/// taken from it; what was kept back of a byoyomi was, as was what passed on the way or without an
/// engine, and what was still kept back at the end.
struct TimeStatistics {
  int moves = 0;
  base::Millis granted{0};
  base::Millis gone{0};  ///< of that, for good
  base::Millis kept{0};  ///< of that, on the last turn, and still on the clock
  base::Millis used{0};
  base::Millis charged{0};
  base::Millis lost{0};

  void take(const MoveTime& move);
  void add(const TimeStatistics& other);
  [[nodiscard]] base::Millis had() const;
  /// had() of `granted`, in tenths of a percent.
  [[nodiscard]] int share_permille() const;
};

/// Of the bot's games so far.
template <class Statistics>
struct Totals {
  int games = 0;
  Statistics sum{};
};

/// "granted 310 s, had 309 s, used 4.1 s, charged 4 s, lost on the link 0 ms".
[[nodiscard]] base::Message describe(const MoveTime& time);
/// "in 37 moves the engine had 99.7 % of the time granted; used 12 min …".
[[nodiscard]] base::Message describe(const TimeStatistics& statistics);

}  // namespace kakehashi::bridge
