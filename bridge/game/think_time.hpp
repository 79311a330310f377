// How long the engine may think on one turn: what the clocks say, less what must be kept back for the way to the server
// (think_time()); and the turn that runs by that (TurnClock). The server counts whole seconds and reaching the limit
// exactly loses (CSA reference, time accounting), so the margin comes off the turn's whole budget, and where the server
// rounds up (Time_Roundup:YES), a second more.
#pragma once

#include <algorithm>
#include <optional>

#include "base/time.hpp"
#include "bridge/engine/engine_supervisor.hpp"
#include "bridge/game/link_margin.hpp"
#include "config/bot_config.hpp"
#include "csa/game_clock.hpp"
#include "usi/command.hpp"

namespace kakehashi::bridge {

struct ThinkTime {
  usi::GoTimes go;
  /// All that the server grants for this turn, from its start; nothing: untimed.
  std::optional<base::Millis> entitled;
  /// What the engine may use of it, from the turn's start.
  base::Millis given{0};
  /// From the turn's start: when the engine is told to stop, and when another move is played (a
  /// minute later on an untimed turn, so that a hung engine is replaced first).
  base::Millis hurry_after{0};
  base::Millis rescue_after{0};
};

struct ThinkTimeRules {
  base::Millis margin{0};        ///< kept back; on a short turn half of it, or the way and what the engine needs to stop
  base::Millis untimed_move{0};  ///< for a side without a clock: given as byoyomi
  base::Millis way{0};           ///< what a move needs to leave and to arrive: in the margin, unless it is longer
  bool is_out_of_reach = false;  ///< the engine: where the way takes most of a turn, it is not waited for
  base::Millis engine_way{0};    ///< of it, what lies between us and the engine: a move in its place does not go there
  base::Millis mean_way{0};      ///< what a move mostly needs to leave and to arrive
  bool resigns = false;          ///< instead of playing another move: what is late loses no more
  base::Millis unsure{0};        ///< by how much it may be longer still
  base::Millis stop{0};          ///< of the margin, what the engine needs to obey "stop"
  base::Millis stop_seen{0};     ///< what it was seen to need
  /// Of the margin, what the engine keeps back of its limit by itself: it is told so much more, though
  /// never more than there is.
  base::Millis engine_keeps{0};
  config::EngineClock clock = config::EngineClock::separate;
  bool swaps_sides = false;  ///< the engine takes the other side's clock: both are given ours
  bool needs_stop = false;       ///< the engine does not end by itself: it is told as soon as its time is over, and
                                 ///< not waited for where it was seen to need longer than there is
};

/// For a turn of `color` of which `spent` has passed already (0 at its start; more when a search
/// is repeated after a failure). An increment game gets the main time before the increment and
/// binc/winc (or as `clock` says); every other gets byoyomi; never both. Not both
/// clocks are 0 where nothing else is given either: engines take that for no limit at all.
[[nodiscard]] ThinkTime think_time(const csa::GameClock& game_clock, shogi::Color color,
                                   base::Millis spent, const ThinkTimeRules& rules);

/// The rules that follow from the settings, from what was measured of the link, and from how that engine reads its
/// clock and keeps time back.
[[nodiscard]] ThinkTimeRules think_time_rules(const config::BotConfig& config, const LinkMargin& link,
                                              const EngineSupervisor& engine);

/// When our turn ends for whom: since when it runs, what is granted, when the engine is told to stop and, behind that,
/// when another move must be played, and for how long of it all no engine thought. It decides nothing.
class TurnClock {
 public:
  TurnClock(base::SteadyTime started, const ThinkTime& limits)
      : started_(started), limits_(limits), given_(limits.given) {}

  /// By what is known now of clocks and link.
  void set(const ThinkTime& limits) { limits_ = limits; }
  /// No clock runs: a repeated search gets the whole time again.
  void start_again(base::SteadyTime now) { started_ = now; }
  /// The rescue comes no later than this from the turn's start.
  void rescue_within(base::Millis time) { limits_.rescue_after = std::min(limits_.rescue_after, time); }
  /// The engine is told to stop: the rescue is next.
  void hurry() { is_hurried_ = true; }
  /// Another search begins, which is told to stop in its turn.
  void hurry_no_more() { is_hurried_ = false; }
  /// Behind each step: whether an engine thinks, or the book is asked.
  void watch_idleness(bool thinks, base::SteadyTime now);
  /// What is left of the turn is no engine's.
  void end_thinking(base::SteadyTime now);

  [[nodiscard]] base::SteadyTime started() const { return started_; }
  [[nodiscard]] base::Millis spent(base::SteadyTime now) const { return base::millis_between(started_, now); }
  /// The same where a flag can fall: without a clock nothing of the time is gone.
  [[nodiscard]] base::Millis gone(base::SteadyTime now) const { return entitled() ? spent(now) : base::Millis{0}; }
  [[nodiscard]] const ThinkTime& limits() const { return limits_; }
  /// All that the server grants; nothing: untimed.
  [[nodiscard]] const std::optional<base::Millis>& entitled() const { return limits_.entitled; }
  [[nodiscard]] bool is_hurried() const { return is_hurried_; }
  [[nodiscard]] base::SteadyTime hurry_at() const { return started_ + limits_.hurry_after; }
  [[nodiscard]] base::SteadyTime rescue_at() const { return started_ + limits_.rescue_after; }
  /// What the engine could use of it, were the answer to leave now: without a word of it, nothing after it was lost.
  [[nodiscard]] base::Millis time_of_engine() const;

 private:
  base::SteadyTime started_;
  ThinkTime limits_;
  bool is_hurried_ = false;
  base::Millis given_{0};  ///< to the first engine that was asked
  std::optional<base::SteadyTime> idle_since_;  ///< no engine thinks, and the book is not asked either
  base::Millis idle_before_{0};
};

}  // namespace kakehashi::bridge
