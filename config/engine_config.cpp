#include "config/engine_config.hpp"

namespace kakehashi::config {

Engine further_engine(const Engine& first, const FurtherEngine& own) {
  Engine engine = first;  // timeouts and habits are those of the first
  engine.standby = {};
  engine.team.clear();
  engine.protocol = own.protocol.value_or(first.protocol);
  const bool is_other_program = !own.command.empty();
  if (is_other_program) {
    engine.command = own.command;
    engine.keep = false;
    engine.clock = EngineClock::automatic;
  }
  if (is_other_program || !own.host.empty()) {
    engine.host = own.host;
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
  if (!own.cpus.empty()) {
    engine.limits.cpus = own.cpus;
  }
  if (!engine.host.empty()) {
    engine.environment.clear();  // they are of this machine
    engine.limits = Engine{}.limits;
  }
  return engine;
}

}  // namespace kakehashi::config
