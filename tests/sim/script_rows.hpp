// A bot's story in the words of golden scripts (support/script.hpp).
#pragma once

#include <optional>
#include <string>

#include "bridge/event.hpp"
#include "sim/scenario.hpp"

namespace kakehashi::sim {

/// The paragraph and the config lines.
[[nodiscard]] std::string script_head(const Scenario& scenario, std::size_t bot,
                                      const std::string& complaint);
/// An input; nothing for what the stage does by itself (timers, records that were written). No event
/// is the bot's start.
[[nodiscard]] std::optional<std::string> script_row(base::Millis at, const bridge::Event* event);

}  // namespace kakehashi::sim
