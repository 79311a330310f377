// The standby engine as it is started: what its own settings say, and the first engine's where they
// are silent.
#pragma once

#include <optional>

#include "config/engine_config.hpp"

namespace kakehashi::config {

/// Nothing without engine.standby. Its own `standby` is never set.
[[nodiscard]] std::optional<Engine> standby_of(const Engine& first);

}  // namespace kakehashi::config
