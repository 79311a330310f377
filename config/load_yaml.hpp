// Configuration files into BotConfigs: strict, and with every problem of every file at once. Takes
// text, not paths: io/load_files reads the files and the secrets. Only this file's source knows
// yaml-cpp; none of its exceptions leaves it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/bot_config.hpp"
#include "config/problem.hpp"
#include "config/yaml_tree.hpp"

namespace kakehashi::config {

/// A file's name, for messages, and what it holds.
struct Source {
  std::string file;
  std::string text;
};

struct Loaded {
  std::vector<Problem> problems;  ///< by file and place; the bots may be used when there are none
  std::vector<BotConfig> bots;    ///< one for each source, in their order; no password is filled in
  std::vector<Problem> warnings;  ///< what is allowed and most likely not meant
  std::vector<Places> places;     ///< of each bot's keys in its file
  std::vector<std::string> files; ///< the name of each bot's file
};

/// One source is one bot. Judges each file by itself, then all together: two bots with one account
/// on one server would throw each other out (shogi-server, duplicate login).
[[nodiscard]] Loaded load_yaml(const std::vector<Source>& sources);

/// A text as a tree whose root is a map; nothing when it cannot be one, and the report says why.
/// JSON is read too, as the part of YAML that it is. `least` names the keys of a smallest file.
[[nodiscard]] std::optional<YamlTree> parse_yaml(const std::string& source, std::string_view least,
                                                 Report& report);

inline constexpr std::size_t file_bytes_max = std::size_t{1024} * 1024;
inline constexpr std::size_t yaml_depth_max = 16;
inline constexpr std::size_t yaml_nodes_max = 10'000;

}  // namespace kakehashi::config
