#include "config/engine_config.hpp"

namespace kakehashi::config {

std::optional<Engine> standby_of(const Engine& first) {
  const Standby& own = first.standby;
  if (!own.enabled) {
    return std::nullopt;
  }
  Engine engine = first;  // timeouts and habits are those of the first
  engine.standby = {};
  engine.protocol = own.protocol.value_or(first.protocol);
  const bool is_other_program = !own.command.empty();
  if (is_other_program) {
    engine.command = own.command;
    engine.host.clear();
    engine.keep = false;
    engine.clock = EngineClock::automatic;
  }
  if (is_other_program || !own.directory.empty()) {
    engine.directory = own.directory;
  }
  if (is_other_program || !own.environment.empty()) {
    engine.environment = own.environment;
  }
  if (is_other_program || !own.options.empty()) {
    engine.options = own.options;
  }
  return engine;
}

}  // namespace kakehashi::config
