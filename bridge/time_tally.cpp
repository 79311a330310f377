#include "bridge/time_tally.hpp"

#include "base/text.hpp"

namespace kakehashi::bridge {

using base::format_millis;

void TimeTally::take(const MoveTime& move) {
  ++moves;
  sum.entitled += move.entitled;
  sum.given += move.given;
  sum.used += move.used;
  sum.charged += move.charged;
  lost += move.lost();
}

void TimeTally::add(const TimeTally& other) {
  moves += other.moves;
  sum.entitled += other.sum.entitled;
  sum.given += other.sum.given;
  sum.used += other.sum.used;
  sum.charged += other.sum.charged;
  lost += other.lost;
}

int TimeTally::share_permille() const {
  return sum.entitled.count() > 0
             ? static_cast<int>(sum.given.count() * 1000 / sum.entitled.count())
             : 0;
}

std::string describe(const MoveTime& time) {
  return "granted " + format_millis(time.entitled.count()) + ", offered " +
         format_millis(time.given.count()) + ", used " + format_millis(time.used.count()) +
         ", charged " + format_millis(time.charged.count()) + ", lost on the link " +
         format_millis(time.lost().count());
}

std::string describe(const TimeTally& tally) {
  const int share = tally.share_permille();
  return "in " + std::to_string(tally.moves) + (tally.moves == 1 ? " move" : " moves") +
         " the engine was offered " + std::to_string(share / 10) + "." +
         std::to_string(share % 10) + " % of the time granted; used " +
         format_millis(tally.sum.used.count()) + ", charged " +
         format_millis(tally.sum.charged.count()) + ", lost on the link " +
         format_millis(tally.lost.count());
}

}  // namespace kakehashi::bridge
