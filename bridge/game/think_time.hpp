// How long the engine may think on one turn: what the clocks say, less what must be kept back for
// the way to the server. The server counts whole seconds and reaching the limit exactly loses
// (CSA reference, time accounting), so the margin comes off the turn's whole budget, and where the
// server rounds up (Time_Roundup:YES), a second more.
#pragma once

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

}  // namespace kakehashi::bridge
