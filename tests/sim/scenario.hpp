// A story before it is played: everything that its seed decides about the bots, their peers and the
// faults. The same seed gives the same scenario, and one without some of its faults plays on alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "config/bot_config.hpp"
#include "rehearse/server/server.hpp"
#include "sim/fault.hpp"

namespace kakehashi::sim {

/// The delays of a way between two parties. Where the margin is fixed they stay below what it keeps back;
/// where it is measured a round trip may take up to three turns.
struct Delays {
  base::Millis latency{0};
  base::Millis jitter_max{0};
  base::Millis timer_late_max{0};
  base::Millis process_late_max{0};  ///< with whatever happens: other processes have the processor
  bool is_measured = true;           ///< by the kernel; its round trip ends at a proxy
};

/// How engines read the clocks of a `go`, and what that leaves them for the move.
enum class ClockReading {
  whole,               ///< main time, increment and byoyomi, and may answer at once
  adds,                ///< main time and increment
  excludes,            ///< never beyond the main time, to which the increment comes only after the move
  swaps,               ///< as before, and the other side's (Fairy-Stockfish up to 11.2)
  zero_is_no_limit,    ///< as `excludes`, and both clocks at zero mean no clock (Fairy-Stockfish behind it)
  dies_of_increments,  ///< gpsshogi
};

struct EngineManners {
  int greed = 0;             ///< 0: answers at once; 2: often takes all its time
  bool repeats = false;      ///< goes back and forth when it can
  bool declares_ponder = true;
  bool declares_lines = true;  ///< MultiPV
  bool tells_scores = false;   ///< of every answer, and not always the same
  ClockReading reading = ClockReading::whole;
  /// Thinks until it is told to stop, and answers so much later.
  std::optional<base::Millis> stops_after;
};

/// An engine that a keeper holds on another machine.
struct KeptEngine {
  std::size_t ways = 1;
  base::Millis latency{0};  ///< one way
  base::Millis jitter_max{0};
  bool calm = false;        ///< nothing is cut
};

struct OpponentManners {
  base::Millis thinking_max{0};
  bool repeats = false;
  bool breaks_rules = false;  ///< as far as such a server lets it
  bool is_rude = false;  ///< may resign, leave, reject, break rules, let its flag fall
};

struct BotPart {
  config::BotConfig config;
  Delays delays;
  EngineManners engine;
  std::optional<KeptEngine> kept;
  std::vector<Fault> faults;
  std::vector<std::vector<Fault>> further_faults{};  ///< of its standby, or of each further member of its team
};

struct Scenario {
  std::uint64_t seed = 0;
  rehearse::server::Settings server;
  bool is_other_server = false;  ///< of another make, which takes what our rules refuse
  std::string game_name;
  std::string prepared_moves;  ///< from which each game begins, glued, with their times; empty: none
  std::vector<BotPart> bots;  ///< one and an opponent, or two
  OpponentManners opponent;
  int games = 1;              ///< that end before the faults do
};

/// `with_teams`: each bot has a team that thinks together; else one in five has a team of some kind.
[[nodiscard]] Scenario draw_scenario(std::uint64_t seed, bool with_teams = false);
/// In a few lines, for a person who looks at a failure.
[[nodiscard]] std::string describe(const Scenario& scenario);

}  // namespace kakehashi::sim
