// The rows of describe's table for the engine, its standby and its limits; keys.cpp has the others.
#pragma once

#include <vector>

#include "config/describe.hpp"

namespace kakehashi::config {

[[nodiscard]] std::vector<Key> engine_keys();
[[nodiscard]] std::vector<Key> standby_keys();
[[nodiscard]] std::vector<Key> limit_keys();

}  // namespace kakehashi::config
