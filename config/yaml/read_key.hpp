// The value of one key: from its YAML node into the struct, by the key's shape in the table. A
// value that breaks its rule is reported and leaves the default in place.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/problem.hpp"
#include "config/yaml/yaml_tree.hpp"

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

/// The items of a list, each a map, with their paths: "notify[1]", which are added to `places`. Anything else is reported.
void each_map(const KeyValue& value, std::size_t most, Places& places, Report& report,
              const std::function<void(const YamlNode& map, const std::string& path)>& read);

/// Of a list; what stands in place of its only item by itself.
[[nodiscard]] std::vector<const YamlNode*> items_of(const YamlTree& tree, const YamlNode& node);

/// Adds the entry's place to `places`; false after a report: it is there already.
[[nodiscard]] bool is_first(const YamlEntry& entry, const std::string& path, Places& places, Report& report);

/// A key as a message shows it: quoted when it holds anything unusual.
[[nodiscard]] std::string show_key(const std::string& path);
/// What a person would say who expected something else: a list, or the text in quotes.
[[nodiscard]] base::Message::Part seen(const YamlNode& node);

// --- a key whose value is a language of its own; read_key calls it

/// `rules` (read_setting_rules.cpp). What a rule sets is read by the table of keys, as at the top of the file.
void read_setting_rules(const KeyValue& value, std::vector<SettingRule>& rules, Report& report);

inline constexpr std::size_t options_max = 1000;  ///< of an engine

}  // namespace kakehashi::config
