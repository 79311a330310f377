// Starts the configured engine, brings it to readyok as `run` would, and ends it again.
#pragma once

#include <string>
#include <vector>

#include "base/time.hpp"
#include "config/bot_config.hpp"
#include "usi/option.hpp"

namespace kakehashi::bridge::cli {

struct EngineProbe {
  bool is_ready = false;
  std::string why;  ///< of a failure, for people; with what the engine last wrote to stderr
  std::string name;
  std::string author;
  std::vector<usi::Option> declared;
  /// For each setting that does not fit what the engine declares: what is wrong with it. Such a
  /// setting is left out before isready.
  std::vector<std::string> bad_settings;
  base::Millis until_identified{0};
  base::Millis until_ready{0};  ///< from isready on
};

/// `wants_ponder` as in the configuration: USI_Ponder is set accordingly, where declared.
[[nodiscard]] EngineProbe probe_engine(const config::Engine& engine, bool wants_ponder);

}  // namespace kakehashi::bridge::cli
