// What many stories came to, and how it is told.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/story.hpp"

namespace kakehashi::sim {

struct Statistics {
  std::uint64_t stories = 0;
  std::uint64_t games = 0;
  std::uint64_t steps = 0;
  std::uint64_t violations = 0;  ///< stories with at least one complaint
  std::array<std::uint64_t, end_reason_count> endings{};
  std::array<std::uint64_t, fault_kind_count> faults{};
  base::Millis virtual_time{0};

  void add(const Outcome& outcome);
};

/// Games, faults by kind, endings by reason, violations.
[[nodiscard]] std::string describe(const Statistics& statistics);

}  // namespace kakehashi::sim
