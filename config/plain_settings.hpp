// A whole configuration as plain names and texts, and back, for a journal that must be able to
// repeat a run: every key of the table, without its secrets. Not for people: they write YAML.
#pragma once

#include <string>
#include <vector>

#include "config/bot_config.hpp"

namespace kakehashi::config {

/// "server.port" and {"4081"}; a list has several values, a key that is not set none at all.
struct PlainSetting {
  std::string key;
  std::vector<std::string> values;

  friend bool operator==(const PlainSetting&, const PlainSetting&) = default;
};

/// What a secret is replaced by: the password, the proxy's password, and the values of engine.environment.
inline constexpr const char* masked_secret = "****";

[[nodiscard]] std::vector<PlainSetting> plain_settings(const BotConfig& bot);

/// Puts one back. False, and nothing changed, for a key or a value that this version does not
/// know. Ranges are not judged: the text came from a configuration that was.
[[nodiscard]] bool apply(const PlainSetting& setting, BotConfig& bot);

}  // namespace kakehashi::config
