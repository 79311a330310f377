// The options that every command with a log takes.
#pragma once

#include <string>

#include "config/bot_config.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

/// What the command line says about the log; it goes before the configuration.
struct LogOptions {
  // The words of the settings; empty: not given.
  std::string level;
  std::string format;
  std::string language;

  void apply_to(config::BotConfig& bot) const;
};

/// `options` must live until the command line has been read.
void add_log_options(CLI::App& command, LogOptions& options);
/// --lang alone.
void add_log_language_option(CLI::App& command, LogOptions& options);

}  // namespace kakehashi::cli
