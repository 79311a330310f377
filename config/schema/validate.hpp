// How the settings of a bot fit together, and how several bots do: rules that no single key can
// tell. Each names the key to change.
#pragma once

#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/problem.hpp"

namespace kakehashi::config {

/// Rules within one bot: where the password comes from, what the game name needs, what the clock
/// allows. Keys with a fault of their own are left alone.
void validate(const BotConfig& bot, const Places& places, Report& report);

/// Rules between bots: `bots`, `places` and `reports` go together by index.
void validate_together(const std::vector<BotConfig>& bots, const std::vector<Places>& places,
                       std::vector<Report>& reports);

/// Adds the accounts of the others on the same server to each bot's game.own_accounts.
void introduce_to_each_other(std::vector<BotConfig>& bots);

}  // namespace kakehashi::config
