// A run that was cut off in a game which the server may give back: the same events give the same bot, so the
// bot is had again from its journal, as it stood when its process was killed. It knows no file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "bridge/bot/bot.hpp"
#include "bridge/journal/journal.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge {

struct CutOffRun {
  Bot bot;
  std::uint64_t number = 0;  ///< of the journal's last entry
  std::optional<base::SteadyTime> armed;  ///< the timer that the bot counts on
  bool was_ready = false;
  /// What the bot does not know yet: its line and its engines went with the process.
  std::vector<Event> losses;
};

/// `contents` is the journal of the whole run, `token` the Reconnect_Token that it hides, `config` the present
/// configuration, with its secrets, and `program` what a journal of this version names. The error says why the
/// run cannot go on.
[[nodiscard]] base::Result<CutOffRun, std::string> go_on(const journal::Contents& contents,
                                                         const config::BotConfig& config,
                                                         const std::string& token, const std::string& program,
                                                         base::Now now);

}  // namespace kakehashi::bridge
