// What a rehearsal came to: counted from the facts and views of both bots, told at its end, and judged:
// is this set-up fit to enter? Pure.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/view.hpp"

namespace kakehashi::rehearse {

class RehearsalReport {
 public:
  /// Bot 0 or 1.
  void take(std::size_t bot, const bridge::Fact& fact);
  /// A finished game adds its time, once.
  void observe(std::size_t bot, const bridge::View& view);
  /// Something that the rehearsal did to the bots.
  void injected(const std::string& what) { ++injected_[what]; }
  void engine_killed(std::size_t bot) { ++sums_[bot].kills; }

  /// A line for each engine that was given up, or one where engines were lost and came back: such games are not those
  /// of the whole bot.
  [[nodiscard]] std::vector<std::string> warnings(const std::array<std::string, 2>& names) const;

  struct Verdict {
    std::vector<std::string> lines;     ///< the whole report
    std::vector<std::string> problems;  ///< why it is not fit; empty: it is
  };
  /// `games`: so many were planned and so many finished. `delay_max`: of what travelled, either way, by the
  /// rehearsal's own doing; no set-up is blamed for what it keeps back against that.
  [[nodiscard]] Verdict judge(const std::array<std::string, 2>& names, int planned, std::size_t finished,
                              base::Millis delay_max = base::Millis{0}) const;

 private:
  struct Sums {
    std::map<bridge::Incident, int> counts;
    std::set<std::string> given_up;  ///< what was said of them; at most given_up_max
    std::string lost;                ///< what was said of the last one that was lost
    bridge::TimeStatistics time;
    std::string last_game;
    int kills = 0;
  };
  [[nodiscard]] int count(std::size_t bot, bridge::Incident incident) const;

  std::array<Sums, 2> sums_;
  std::map<std::string, int> injected_;
};

}  // namespace kakehashi::rehearse
