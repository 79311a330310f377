// What a configuration that was read again changes, key by key, and whether it may be taken at
// all. Who applies it is the fleet's business.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bridge/cli/logs.hpp"
#include "config/bot_config.hpp"
#include "config/load_yaml.hpp"

namespace kakehashi::bridge::cli {

struct Changes {
  std::vector<std::string> with_renewal;  ///< keys that a bot takes when it begins anew
  std::vector<std::string> with_restart;  ///< keys that only the next process takes
};

[[nodiscard]] Changes changes_between(const config::BotConfig& now, const config::BotConfig& next);

/// "engine.options, time.margin": a list for a message.
[[nodiscard]] std::string joined(const std::vector<std::string>& keys);

/// Whether configurations that were read again fit so many running bots; what is wrong goes to the logs.
[[nodiscard]] bool may_reload(const config::Loaded& loaded, std::size_t bots_count, Logs& logs);

}  // namespace kakehashi::bridge::cli
