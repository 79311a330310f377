// What a configuration that was read again changes, key by key, and whether it may be taken at
// all. Who applies it is the fleet's business.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "config/yaml/load_yaml.hpp"

namespace kakehashi::bridge::fleet::io {

struct Changes {
  std::vector<std::string> with_renewal;  ///< keys that a bot takes when it begins anew
  std::vector<std::string> with_restart;  ///< keys that only the next process takes
};

[[nodiscard]] Changes changes_between(const config::BotConfig& now, const config::BotConfig& next);

/// The next configuration of each running bot, in their order: a bot is known by its name, wherever
/// its file stands now. The error says why not: other bots, or one that would log in as another does.
[[nodiscard]] base::Result<std::vector<config::BotConfig>, std::string> in_order_of(
    const std::vector<config::BotConfig>& running, const std::vector<config::BotConfig>& next);

/// Tells the logs, and whoever asked.
using Report = std::function<void(Level level, const char* code, const std::string& text)>;

/// The same of files that were read again; what is wrong with them is reported, and nothing is to be
/// changed then.
[[nodiscard]] std::optional<std::vector<config::BotConfig>> configs_to_take(
    config::Loaded loaded, const std::vector<config::BotConfig>& running, const Report& report);

}  // namespace kakehashi::bridge::fleet::io
