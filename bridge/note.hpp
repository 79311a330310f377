// What the core wants a person to know: one event, one note, one stable code. The shells turn
// notes into log lines; tests compare them whole. Never a secret.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "config/service_config.hpp"

namespace kakehashi::bridge {

using Level = config::LogLevel;
[[nodiscard]] inline const char* describe(Level level) {
  switch (level) {
    case Level::debug: return "debug";
    case Level::info: return "info";
    case Level::warn: return "warn";
    case Level::error: return "error";
  }
  return "error";
}

struct Note {
  Level level = Level::info;
  std::string code;  ///< "game_started": stable, snake_case, listed in docs/
  base::Message text;  ///< for people, units included
  std::vector<std::pair<std::string, std::string>> fields;  ///< for JSON logs

  friend bool operator==(const Note&, const Note&) = default;
};

}  // namespace kakehashi::bridge
