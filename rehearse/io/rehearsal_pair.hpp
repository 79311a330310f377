// The room rehearse/io: games on the practice server, played by whole bots, and the files of series. What a game means,
// rehearse/server and the core know, and nobody but the commands knows this room.
//
// Two complete bots against each other on an embedded server, over real TCP within this process:
// everything but the distance is as in a game on a real server. Several such pairs play at a time, each with a
// server and engines of its own, which stay loaded from game to game.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "rehearse/io/fault_proxy.hpp"
#include "rehearse/rehearsal_report.hpp"
#include "rehearse/series.hpp"
#include "rehearse/start_positions.hpp"

namespace kakehashi::rehearse::io {

struct RehearsalPlan {
  std::array<config::BotConfig, 2> configs;
  std::string game_name = "rehearsal-60-2F";
  int max_moves = 256;             ///< plies to a draw; 0: no limit
  std::int64_t least_time_s = 0;   ///< least seconds that a move is charged
  std::uint64_t seed = 1;
  EventHabits habits{};  ///< its game name and move limit are those above
  Faults faults{};
  int concurrency = 1;   ///< games at a time
  std::vector<StartPosition> starts{};  ///< empty: where the game name says
  /// A series: games have their numbers in their ids, and one that is broken off is not resigned before.
  bool is_series = false;
  /// Everything that the games leave behind goes there, into an archive of their own too; empty: records and
  /// journals where the configurations have them, and no archive.
  std::string directory{};
  bool is_judged = true;  ///< the report is wanted
};

/// Server and account as a rehearsal needs them; the two accounts differ. `pair` counts from 0.
[[nodiscard]] std::array<config::BotConfig, 2> prepare_configs(const RehearsalPlan& plan, std::uint16_t port,
                                                               int pair = 0);

/// Takes a result that counts to where it lasts. Why it could not, or nothing.
using KeepResult = std::function<base::Message(const SeriesResult&)>;

/// Plays what is left of the series. Returns 0 when it is over, or the person stopped it; otherwise the exit
/// status of the bot that failed. `report` hears of everything that it judges.
[[nodiscard]] int play_rehearsal(
    const RehearsalPlan& plan, Series& series, Show& show, RehearsalReport& report,
    const KeepResult& keep = [](const SeriesResult&) { return base::Message(); });

}  // namespace kakehashi::rehearse::io
