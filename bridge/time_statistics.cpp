#include "bridge/time_statistics.hpp"

#include <algorithm>
#include <string>

namespace kakehashi::bridge {

using base::duration;
using base::Millis;
using base::say;

void TimeStatistics::take(const MoveTime& move) {
  ++moves;
  granted += move.added;
  const Millis withheld = std::max(Millis{0}, move.entitled - move.had);
  kept = std::min(withheld, move.left);
  gone += withheld - kept;
  // In byoyomi the way is a part of what was kept back; on the main clock it is paid for.
  gone += move.left.count() > 0 ? move.lost() : Millis{0};
  used += move.used;
  charged += move.charged;
  lost += move.lost();
}

void TimeStatistics::add(const TimeStatistics& other) {
  moves += other.moves;
  granted += other.granted;
  gone += other.gone + other.kept;
  used += other.used;
  charged += other.charged;
  lost += other.lost;
}

Millis TimeStatistics::had() const { return std::max(Millis{0}, granted - gone - kept); }

int TimeStatistics::share_permille() const {
  return granted.count() > 0 ? static_cast<int>(had().count() * 1000 / granted.count()) : 0;
}

base::Message describe(const MoveTime& time) {
  return say("granted {}, had {}, used {}, charged {}, lost on the link {}", duration(time.entitled.count()),
             duration(time.had.count()), duration(time.used.count()), duration(time.charged.count()),
             duration(time.lost().count()));
}

base::Message describe(const TimeStatistics& statistics) {
  const int permille = statistics.share_permille();
  const std::string share = std::to_string(permille / 10) + "." + std::to_string(permille % 10);
  const auto had = statistics.moves == 1
                       ? say("in {} move the engine had {} % of the time granted", statistics.moves, share)
                       : say("in {} moves the engine had {} % of the time granted", statistics.moves, share);
  return say("{}; used {}, charged {}, lost on the link {}", had, duration(statistics.used.count()),
             duration(statistics.charged.count()), duration(statistics.lost.count()));
}

}  // namespace kakehashi::bridge
