// Connects to the configured server, or logs in and out again, to see whether it works. Plays nothing.
#pragma once


#include "base/message.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::cli {

struct LoginProbe {
  /// in_use: a bot of this machine plays with the account; a second login would have put it out.
  enum class Outcome { logged_in, connected, refused, unavailable, in_use };
  Outcome outcome = Outcome::unavailable;
  base::Message peer;  ///< the address that answered; empty: none did
  base::Message why;  ///< of a failure, for people; in_use: who plays
};

/// Takes at most the configured connect and login timeouts.
[[nodiscard]] LoginProbe probe_login(const config::BotConfig& config);

/// Connects as `run` would, TLS and proxy included, and closes without a word; takes at most the
/// configured connect timeout.
[[nodiscard]] LoginProbe probe_connection(const config::BotConfig& config);

}  // namespace kakehashi::cli
