// A whole configuration as plain names and texts, and back, for a journal that must be able to
// repeat a run: every key of the table, without its secrets. Not for people: they write YAML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/keys.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {

/// What a secret is replaced by: the password, the proxy's password, and the values of engine.environment.
inline constexpr const char* masked_secret = base::Secret::mask;

[[nodiscard]] std::vector<PlainSetting> plain_settings(const BotConfig& bot);
/// Of one key: several for a list, none for a key that is not set.
[[nodiscard]] std::vector<PlainSetting> plain_settings(const Key& key, const BotConfig& bot);

/// One value as a file writes it: "1.5s", "{score: 3000, moves: 5}", "[csa, kif]"; empty: there is none.
[[nodiscard]] std::string spell_value(const Key& key, const PlainSetting& setting);
/// A text as YAML takes it: in double quotes where a reader could take it for anything else.
[[nodiscard]] std::string spell_text(std::string_view text);
[[nodiscard]] std::string spell_list(const std::vector<std::string>& texts);

/// Puts one back. False, and nothing changed, for a key or a value that this version does not
/// know. Ranges are not judged: the text came from a configuration that was.
[[nodiscard]] bool apply(const PlainSetting& setting, BotConfig& bot);

/// What is masked there, from another configuration.
void take_secrets(BotConfig& bot, const BotConfig& from);

}  // namespace kakehashi::config
