// Both clocks of the machine, for shells to read: what decides is told the time.
#pragma once

#include <chrono>

#include "base/time.hpp"

namespace kakehashi::base::io {

/// Both clocks, read now.
[[nodiscard]] inline Now read_clocks() {
  return {std::chrono::steady_clock::now(), std::chrono::floor<Millis>(std::chrono::system_clock::now())};
}

}  // namespace kakehashi::base::io
