// Configurations of bots that play with the scripted engine, and the log they write.
#pragma once

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "config/bot_config.hpp"
#include "tests/places.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::test {

/// "fake_engine" with the switches of tests/engines/fake_engine.cpp.
inline std::vector<std::string> fake_engine(std::vector<std::string> switches = {}) {
  std::vector<std::string> command{test::fake_engine_binary()};
  command.insert(command.end(), switches.begin(), switches.end());
  return command;
}

/// Records go to the scratch directory, the log to "kakehashi.log" in it, with all the traffic.
inline config::BotConfig bot(const Scratch& scratch, std::string name,
                             std::vector<std::string> command) {
  config::BotConfig made;
  made.name = name;
  made.account.name = std::move(name);
  made.account.password = base::Secret("do-not-tell");
  made.engine.command = std::move(command);
  made.engine.start_timeout = base::Millis{10'000};
  made.engine.ready_timeout = base::Millis{10'000};
  // What is counted by "go" is to happen in the game, not when the engine is asked how it reads its clock.
  made.engine.clock = config::EngineClock::separate;
  made.time.margin = base::Millis{300};
  made.records.directory = scratch.path("records");
  made.log.file = scratch.path("kakehashi.log");
  made.log.level = config::LogLevel::debug;
  return made;
}

}  // namespace kakehashi::test
