// The value of one key: from its YAML node into the struct, by the key's shape in the table. A
// value that breaks its rule is reported and leaves the default in place.
#pragma once

#include <string>

#include "config/bot_config.hpp"
#include "config/describe.hpp"
#include "config/problem.hpp"
#include "config/yaml_tree.hpp"

namespace kakehashi::config {

/// A key as a file gives it.
struct KeyValue {
  const Key& key;
  const YamlTree& tree;
  const YamlNode& node;
  Place key_place;
};

/// Places of what a map holds ("engine.options.Threads") are added to `places`.
void read_key(const KeyValue& value, BotConfig& bot, Places& places, Report& report);

/// A key as a message shows it: quoted when it holds anything unusual.
[[nodiscard]] std::string show_key(const std::string& path);
/// What a person would say who expected something else: "a list", or the text in quotes.
[[nodiscard]] std::string seen(const YamlNode& node);

}  // namespace kakehashi::config
