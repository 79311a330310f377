// Plays one scenario from its beginning to its end. First with faults, for safety: whatever happens,
// nothing forbidden is done. Then without, for liveness: a game must end, and at last the bots must
// go when they are asked to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/scenario.hpp"
#include "sim/sim_bot.hpp"

namespace kakehashi::sim {

inline constexpr std::size_t end_reason_count =
    static_cast<std::size_t>(rehearse::server::EndReason::abnormal) + 1;

struct Outcome {
  std::vector<std::string> complaints;  ///< "bot 0 @5.250s: what is wrong"
  int games = 0;                        ///< that came to their end at the server
  std::array<int, end_reason_count> endings{};
  std::array<int, fault_kind_count> faults{};
  std::uint64_t steps = 0;
  base::Millis lasted{0};
};

/// Sees each step of each bot, with its number.
using StoryListener = std::function<void(std::size_t bot, base::Millis at,
                                         const bridge::Event* event,
                                         const bridge::Actions& actions)>;

[[nodiscard]] Outcome play_story(const Scenario& scenario, const StoryListener& listener = {});

}  // namespace kakehashi::sim
