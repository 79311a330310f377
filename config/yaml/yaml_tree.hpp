// A YAML document as plain data: what stands where, before any key has a meaning. Aliases point at the node of their
// anchor, so a document that refers to itself many times stays as small as its text. Only this file's source knows
// yaml-cpp; none of its exceptions leaves it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "config/schema/problem.hpp"

namespace kakehashi::config {

struct YamlEntry {
  std::string key;
  Place place;            ///< of the key
  std::size_t value = 0;  ///< index into YamlTree::nodes
  bool is_quoted = false; ///< the key
};

struct YamlNode {
  enum class Kind { nothing, scalar, list, map };

  Kind kind = Kind::nothing;
  Place place;
  std::string text;        ///< of a scalar, as written
  bool is_quoted = false;  ///< of a scalar
  std::vector<std::size_t> items;
  std::vector<YamlEntry> entries;  ///< in the written order; keys may repeat
};

/// nodes[0] is the root. Nodes may form a cycle (an alias inside its own anchor): a reader goes
/// only as deep as its keys do.
struct YamlTree {
  std::vector<YamlNode> nodes;

  [[nodiscard]] const YamlNode& root() const { return nodes.front(); }
  [[nodiscard]] const YamlNode& at(std::size_t index) const { return nodes[index]; }
};

/// A text as a tree whose root is a map; nothing when it cannot be one, and the report says why.
/// JSON is read too, as the part of YAML that it is. `least` says what keys a smallest file has.
[[nodiscard]] std::optional<YamlTree> parse_yaml(const std::string& source, const base::Message& least,
                                                 Report& report);

inline constexpr std::size_t file_bytes_max = std::size_t{1024} * 1024;
inline constexpr std::size_t yaml_depth_max = 16;
inline constexpr std::size_t yaml_nodes_max = 10'000;

}  // namespace kakehashi::config
