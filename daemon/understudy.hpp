// A process that gets ready to follow the one that plays (holder/kept.hpp): it repeats what is complete of the bots' runs,
// so that however long they are, the rest is done in an instant when its turn comes.
#pragma once

#include <memory>
#include <vector>

#include "config/bot_config.hpp"
#include "holder/kept.hpp"
#include "journal/io/earlier_runs.hpp"

namespace kakehashi::daemon {

/// Returns when this process plays: how far the run of each bot was repeated, in their order.
[[nodiscard]] std::vector<std::shared_ptr<journal::io::RunAhead>> get_ready(holder::Kept& kept, const std::vector<config::BotConfig>& bots);

/// So many steps of all runs are repeated in an instant.
inline constexpr std::size_t steps_to_get_ready_for = 3000;

}  // namespace kakehashi::daemon
