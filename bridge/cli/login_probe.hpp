// Logs in at the configured server and out again, to see whether it works. Plays nothing.
#pragma once

#include <string>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

struct LoginProbe {
  enum class Outcome { logged_in, refused, unavailable };
  Outcome outcome = Outcome::unavailable;
  std::string peer;  ///< the address that answered; empty: none did
  std::string why;   ///< of a failure, for people
};

/// Takes at most the configured connect and login timeouts.
[[nodiscard]] LoginProbe probe_login(const config::BotConfig& config);

}  // namespace kakehashi::bridge::cli
