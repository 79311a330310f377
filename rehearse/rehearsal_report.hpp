// What a rehearsal came to: counted from the facts and views of both bots, told at its end, and judged:
// is this set-up fit to enter? Pure.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "bridge/fact.hpp"
#include "bridge/view.hpp"
#include "rehearse/series.hpp"

namespace kakehashi::rehearse {

class RehearsalReport {
 public:
  /// Bot 0 or 1.
  void take(std::size_t bot, const bridge::Fact& fact);
  /// A finished game adds its time, once.
  void observe(std::size_t bot, const bridge::View& view);
  /// Something that the rehearsal did to the bots.
  enum class Injected { line_cut, pairing_rejected, engine_killed };
  void injected(Injected what) { ++injected_[what]; }
  void engine_killed(std::size_t bot);

  /// With what it is about in a column of its own.
  struct Line {
    base::Message about;
    base::Message text;
  };

  /// A line for each engine that was given up, or one where engines were lost and came back: such games are not those
  /// of the whole bot.
  [[nodiscard]] std::vector<Line> warnings(const std::array<std::string, 2>& names) const;

  struct Verdict {
    std::vector<Line> lines;              ///< the whole report
    std::vector<base::Message> problems;  ///< why it is not fit; empty: it is
  };
  /// `games`: so many were planned and so many finished. `delay_max`: of what travelled, either way, by the
  /// rehearsal's own doing; no set-up is blamed for what it keeps back against that.
  [[nodiscard]] Verdict judge(const std::array<std::string, 2>& names, int planned, std::size_t finished,
                              base::Millis delay_max = base::Millis{0}) const;

 private:
  struct Sums {
    std::map<bridge::Incident, int> counts;
    std::vector<base::Message> given_up;  ///< what was said of them, once each; at most given_up_max
    base::Message lost;                   ///< what was said of the last one that was lost
    bridge::TimeStatistics time;
    std::string last_game;
    int kills = 0;
  };
  [[nodiscard]] int count(std::size_t bot, bridge::Incident incident) const;

  std::array<Sums, 2> sums_;
  std::map<Injected, int> injected_;
};

// --- the door through which the games of a rehearsal are shown while they are played. Whoever plays them knows no terminal.

/// What is told while games are played.
class Show {
 public:
  Show() = default;
  virtual ~Show() = default;
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  /// Whether observe() is of use; a view costs a copy of the game.
  [[nodiscard]] virtual bool wants_views() const = 0;
  virtual void observe(std::size_t bot, bridge::View view) = 0;
  /// The clocks go on between moves.
  virtual void draw(base::SteadyTime now) = 0;
  /// A line outside the picture: below it, or in its turn.
  virtual void tell(const base::Message& line) = 0;
  virtual void moved(int game, int plies) = 0;
  virtual void ended(const SeriesResult& result, base::SteadyTime now) = 0;
  /// A game that was begun ends without a result.
  virtual void broken_off(int game) = 0;
};

}  // namespace kakehashi::rehearse
