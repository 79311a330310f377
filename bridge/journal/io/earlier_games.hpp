// Games that ended, or were cut off, with earlier processes and that an archive may lack: those that
// the bot's journals tell of. It may wait for a disk: never use it on a game's loop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bridge/finished_game.hpp"
#include "bridge/journal/journal_game.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

struct EarlierGame {
  FinishedGame game;
  std::string record_path;  ///< of the first file; empty: the process ended before it had noted it
};

/// The bot's journals that no process is writing to, in order.
[[nodiscard]] std::vector<std::string> ended_journals(const config::BotConfig& bot);

/// The games of these journals that are not known. Of a journal whose game is known only the
/// beginning is read.
[[nodiscard]] std::vector<EarlierGame> earlier_games(
    const std::vector<std::string>& journals, const config::BotConfig& bot,
    const std::function<bool(const journal::GameMark&)>& is_known);

}  // namespace kakehashi::bridge::io
