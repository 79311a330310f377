// Who sits where among a bot's engines: one list for the core, which numbers them by it, and for the shells that start
// them. It knows settings alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "bridge/engine_id.hpp"
#include "config/engine_config.hpp"

namespace kakehashi::bridge {

struct EngineSeat {
  config::Engine engine;  ///< as it is started, whatever the first one's settings say of others
  std::string name;       ///< short: "engine", "standby", or what the settings call the member
  base::Message who;      ///< behind "the"
  int weight = config::FurtherEngine::weight_of_first;
  bool has_own_cpus = false;  ///< they are not shared out
};

/// By seat: the first engine, then the standby, where there is one, or the team.
[[nodiscard]] std::vector<EngineSeat> seats_of(const config::Engine& first);

/// The settings of who sits there; of the first engine where nobody does any more.
[[nodiscard]] inline config::Engine engine_in_seat(const config::Engine& first, EngineId id) {
  const std::vector<EngineSeat> seats = seats_of(first);
  return seats[id.seat < seats.size() ? id.seat : 0].engine;
}

/// Several of the engines think at the same time.
[[nodiscard]] inline bool thinks_together(const config::Engine& first) {
  return !first.team.empty() && first.team_play != config::TeamPlay::standby;
}

/// On our turn all of them search, and one answer is made of theirs.
[[nodiscard]] inline bool consults(const config::Engine& first) {
  return thinks_together(first) && first.team_play != config::TeamPlay::multi_ponder;
}

/// Whether an engine's option of that name says with how many threads it searches.
[[nodiscard]] bool is_thread_option(std::string_view name);
/// How many threads its options give it; 1 where they are silent.
[[nodiscard]] int threads_of(const config::Engine& engine);

/// Where several think at the same time: by seat, the processors of this machine that the engine may run on, so that
/// none has another's; as limits.cpus has them. `available` are those of this process. Nothing is said of an engine
/// elsewhere, nor where there are fewer processors than engines.
[[nodiscard]] std::vector<std::string> shares_of_cpus(const config::Engine& first, const std::vector<int>& available);

}  // namespace kakehashi::bridge
