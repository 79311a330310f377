// A story before it is played: everything that its seed decides about the bots, their peers and the
// faults. The same seed gives the same scenario, and one without some of its faults plays on alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "config/bot_config.hpp"
#include "rehearsal/server.hpp"
#include "sim/fault.hpp"

namespace kakehashi::sim {

/// The delays of a way between two parties. Together they stay below what the bridge keeps back, so
/// that no flag falls unless a fault says so.
struct Delays {
  base::Millis latency{0};
  base::Millis jitter_max{0};
  base::Millis timer_late_max{0};
};

struct EngineManners {
  int greed = 0;             ///< 0: answers at once; 2: often takes all its time
  bool repeats = false;      ///< goes back and forth when it can
  bool declares_ponder = true;
};

struct OpponentManners {
  base::Millis thinking_max{0};
  bool repeats = false;
  bool is_rude = false;  ///< may resign, leave, reject, break rules, let its flag fall
};

struct BotPart {
  config::BotConfig config;
  Delays delays;
  EngineManners engine;
  std::vector<Fault> faults;
  std::vector<Fault> standby_faults;  ///< of its standby engine, where it has one
};

struct Scenario {
  std::uint64_t seed = 0;
  rehearsal::Settings server;
  std::string game_name;
  std::string prepared_moves;  ///< from which each game begins, as %%SETBUOY takes them; empty: none
  std::vector<BotPart> bots;  ///< one and an opponent, or two
  OpponentManners opponent;
  int games = 1;              ///< that end before the faults do
};

[[nodiscard]] Scenario draw_scenario(std::uint64_t seed);
/// In a few lines, for a person who looks at a failure.
[[nodiscard]] std::string describe(const Scenario& scenario);

}  // namespace kakehashi::sim
