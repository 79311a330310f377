// Which engine of a bot is meant, in what the core is told and what it wants done.
#pragma once

#include <cstdint>
#include <string>

namespace kakehashi::bridge {

/// One engine process of a bot, so that a late word of a dead process is known as such.
struct EngineId {
  std::uint32_t seat = 0;    ///< the first engine's is 0; then the standby's, or those of the team
  std::uint32_t launch = 0;  ///< the processes in that seat are counted from 1

  friend bool operator==(const EngineId&, const EngineId&) = default;
  friend bool operator<(const EngineId& one, const EngineId& other) {
    return one.seat != other.seat ? one.seat < other.seat : one.launch < other.launch;
  }
};

/// "engine", "standby"; those behind them by number, "seat2".
inline std::string seat_word(std::uint32_t seat) {
  return seat == 0 ? "engine" : seat == 1 ? "standby" : "seat" + std::to_string(seat);
}
/// "engine", "engine#2", "standby", "standby#2", "seat2#2": for people and scripts.
inline std::string engine_word(EngineId engine) {
  return seat_word(engine.seat) + (engine.launch == 1 ? "" : "#" + std::to_string(engine.launch));
}

}  // namespace kakehashi::bridge
