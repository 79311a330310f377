#include "bridge/time_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;

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

std::string describe(const MoveTime& time) {
  return fmt::format("granted {}, had {}, used {}, charged {}, lost on the link {}",
                     format_millis(time.entitled.count()), format_millis(time.had.count()),
                     format_millis(time.used.count()), format_millis(time.charged.count()),
                     format_millis(time.lost().count()));
}

std::string describe(const TimeStatistics& statistics) {
  const int share = statistics.share_permille();
  return fmt::format(
      "in {} {} the engine had {}.{} % of the time granted; used {}, charged {}, lost on the link {}", statistics.moves,
      statistics.moves == 1 ? "move" : "moves", share / 10, share % 10, format_millis(statistics.used.count()),
      format_millis(statistics.charged.count()), format_millis(statistics.lost.count()));
}

}  // namespace kakehashi::bridge
