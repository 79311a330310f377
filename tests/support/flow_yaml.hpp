// Reads a value as YAML writes it on one line, {key: value, other: [a, b]}, for the config lines of
// scripts. It knows no quotes: scripts do without.
#pragma once

#include <string_view>

#include "config/yaml/yaml_tree.hpp"

namespace kakehashi::support {

[[nodiscard]] config::YamlTree read_flow(std::string_view text);

}  // namespace kakehashi::support
