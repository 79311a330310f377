// The options that every command with a log takes.
#pragma once

#include <optional>

#include "config/bot_config.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

/// What the command line says about the log; it goes before the configuration.
struct LogOptions {
  std::optional<config::LogLevel> level;
  std::optional<config::LogFormat> format;
  std::optional<config::LogLanguage> language;

  void apply_to(config::Log& log) const;
};

/// `options` must live until the command line has been read.
void add_log_options(CLI::App& command, LogOptions& options);
/// --lang alone.
void add_log_language_option(CLI::App& command, LogOptions& options);

}  // namespace kakehashi::cli
