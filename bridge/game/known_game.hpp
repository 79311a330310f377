// What a bot's rules may look at of a game that is offered: a summary and the time of day as
// config::GameFacts. Pure.
#pragma once

#include "base/time.hpp"
#include "config/bot_config.hpp"
#include "csa/game_summary.hpp"

namespace kakehashi::bridge {

/// The name is the Game_ID's, or game.name where that has none; the time is of the zone that
/// records are dated in.
[[nodiscard]] config::GameFacts known_game(const csa::GameSummary& summary,
                                           const config::BotConfig& config, base::WallTime now);

/// Minutes after midnight, 0 to 1439.
[[nodiscard]] int minute_of_day(base::WallTime now, std::chrono::minutes utc_offset);

}  // namespace kakehashi::bridge
