// At a bot's start: records that were cut off with an earlier process get what its journal knows.
#pragma once

#include <vector>

#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

/// Looks at the last file of each run in the bot's journal that no process is writing to. A record
/// that has an end is never touched. What was done is told by notes.
[[nodiscard]] std::vector<Note> complete_records(const config::BotConfig& bot);

}  // namespace kakehashi::bridge::io
