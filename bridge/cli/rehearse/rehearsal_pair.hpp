// Two complete bots against each other on an embedded server, over real TCP within this process:
// everything but the distance is as in a game on a real server.
// Only the commands use this room; what a game means, csa/server and the core know.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "bridge/cli/rehearse/rehearsal_event.hpp"
#include "bridge/cli/rehearse/rehearsal_report.hpp"
#include "bridge/cli/rehearse/rehearsal_show.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

struct RehearsalPlan {
  std::array<config::BotConfig, 2> configs;
  std::string game_name = "rehearsal-60-2F";
  int games = 1;
  int max_moves = 256;             ///< plies to a draw; 0: no limit
  std::int64_t least_time_s = 0;   ///< least seconds that a move is charged
  std::uint64_t seed = 1;
  EventHabits habits{};  ///< its game name and move limit are those above
  Faults faults{};
};

/// Server, account and count of games as a rehearsal needs them; the two accounts differ.
[[nodiscard]] std::array<config::BotConfig, 2> prepare_configs(const RehearsalPlan& plan,
                                                               std::uint16_t port);

/// Plays. Returns 0 when all games came to an end, or the person stopped them; otherwise the exit
/// status of the bot that failed. `report` hears of everything that it judges.
[[nodiscard]] int play_rehearsal(const RehearsalPlan& plan, RehearsalShow& show,
                                 RehearsalReport& report);

}  // namespace kakehashi::bridge::cli
