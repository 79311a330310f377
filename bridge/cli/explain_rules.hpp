// `kakehashi check --game`: which rules of a configuration apply to a game, which do not and why,
// and what they set. Opens nothing.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::cli {

/// A game as a person describes it.
struct GameQuestion {
  std::string game;  ///< "floodgate-300-10F"
  std::optional<std::string> opponent{};
  std::optional<std::string> colour{};  ///< "black" or "white"
  int minute_of_day = 0;                ///< local, 0 to 1439
};

void explain_rules(const config::BotConfig& config, const GameQuestion& question,
                   std::ostream& out);

}  // namespace kakehashi::bridge::cli
