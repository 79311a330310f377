// A YAML document as plain data: what stands where, before any key has a meaning. Filled by
// load_yaml, read by read_bot. Aliases point at the node of their anchor, so a document that
// refers to itself many times stays as small as its text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/problem.hpp"

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

}  // namespace kakehashi::config
