// A YAML tree into a BotConfig, by the table of keys (describe): unknown and repeated keys, types,
// ranges, required keys. How keys fit together is validate's business.
#pragma once

#include "config/bot_config.hpp"
#include "config/problem.hpp"
#include "config/yaml_tree.hpp"

namespace kakehashi::config {

/// A bot as far as its file could be read, and where its keys stand. A key that the file gives
/// wrongly has a place and keeps its default.
struct DraftBot {
  BotConfig bot;
  Places places;
};

/// The root is a map.
[[nodiscard]] DraftBot read_bot(const YamlTree& tree, Report& report);

}  // namespace kakehashi::config
