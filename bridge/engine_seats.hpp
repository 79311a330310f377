// Who sits where among a bot's engines: one list for the core, which numbers them by it, and for the shells that start
// them. It knows settings alone.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bridge/event.hpp"
#include "config/engine_config.hpp"

namespace kakehashi::bridge {

struct EngineSeat {
  config::Engine engine;  ///< as it is started, whatever the first one's settings say of others
  std::string who;        ///< for people
};

/// By seat: the first engine, then the standby, where there is one.
[[nodiscard]] inline std::vector<EngineSeat> seats_of(const config::Engine& first) {
  std::vector<EngineSeat> seats{{first, "engine"}};
  if (auto standby = config::standby_of(first)) {
    seats.push_back({std::move(*standby), "standby engine"});
  }
  return seats;
}

/// The settings of who sits there; of the first engine where nobody does any more.
[[nodiscard]] inline config::Engine engine_in_seat(const config::Engine& first, EngineId id) {
  const std::vector<EngineSeat> seats = seats_of(first);
  return seats[id.seat < seats.size() ? id.seat : 0].engine;
}

}  // namespace kakehashi::bridge
