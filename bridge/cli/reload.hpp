// What a configuration that was read again changes, key by key. Pure; who applies it is the
// fleet's business.
#pragma once

#include <string>
#include <vector>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

struct Changes {
  std::vector<std::string> with_renewal;  ///< keys that a bot takes when it begins anew
  std::vector<std::string> with_restart;  ///< keys that only the next process takes
};

[[nodiscard]] Changes changes_between(const config::BotConfig& now, const config::BotConfig& next);

/// "engine.options, time.margin": a list for a message.
[[nodiscard]] std::string joined(const std::vector<std::string>& keys);

}  // namespace kakehashi::bridge::cli
