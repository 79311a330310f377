// The value of one key: from its YAML node into the struct, by the key's shape in the table. A
// value that breaks its rule is reported and leaves the default in place.
#pragma once

#include <string>

#include "config/bot_config.hpp"
#include "config/describe.hpp"
#include "config/problem.hpp"
#include "config/yaml_tree.hpp"

namespace kakehashi::config {

/// Reports at the node's place, or at `key_place` when the node is empty. Places of what a map
/// holds ("engine.options.Threads") are added to `places`.
void read_key(const Key& key, const YamlTree& tree, const YamlNode& node, Place key_place,
              BotConfig& bot, Places& places, Report& report);

/// A key as a message shows it: quoted when it holds anything unusual.
[[nodiscard]] std::string show_key(const std::string& path);

inline constexpr std::size_t command_texts_max = 256;
inline constexpr std::size_t environment_names_max = 256;
inline constexpr std::size_t options_max = 1000;

}  // namespace kakehashi::config
