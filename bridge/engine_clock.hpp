// What follows from how an engine reads its clock, for the bot and for `check`.
#pragma once

#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/game_name.hpp"
#include "usi/clock_probe.hpp"

namespace kakehashi::bridge {

/// Where nothing is known, byoyomi: it never makes an engine plan beyond its flag, and kills none.
[[nodiscard]] inline config::EngineClock clock_for(usi::ClockReading reading) {
  switch (reading) {
    case usi::ClockReading::adds: return config::EngineClock::separate;
    case usi::ClockReading::keeps_to_btime: return config::EngineClock::included;
    case usi::ClockReading::unknown:
    case usi::ClockReading::no_increments: return config::EngineClock::byoyomi;
  }
  return config::EngineClock::byoyomi;
}

/// What the answer of an engine depends on besides its program: "Fake; setoption name …".
[[nodiscard]] inline std::string clock_facts(const std::string& name,
                                             const std::vector<usi::OptionSetting>& settings) {
  std::string facts = name;
  for (const usi::OptionSetting& setting : settings) {
    facts += "; " + usi::format_setoption(setting);
  }
  return facts;
}

/// Whether some game of that bot may have increments: its name says so, or does not say.
[[nodiscard]] inline bool may_have_increments(const config::Game& game) {
  const auto name = config::parse_game_name(game.name);
  return !name || name->is_fischer;
}

/// Whether it counts in some game of that bot how the engine reads its clock: with byoyomi alone both sides' clocks
/// are empty, and there are no increments.
[[nodiscard]] inline bool may_have_main_time(const config::Game& game) {
  const auto name = config::parse_game_name(game.name);
  return !name || name->is_fischer || name->total.count() > 0;
}

/// The reading that a form is made for.
[[nodiscard]] inline usi::ClockReading reading_for(config::EngineClock clock) {
  switch (clock) {
    case config::EngineClock::separate: return usi::ClockReading::adds;
    case config::EngineClock::included: return usi::ClockReading::keeps_to_btime;
    case config::EngineClock::automatic:
    case config::EngineClock::byoyomi: return usi::ClockReading::no_increments;
  }
  return usi::ClockReading::no_increments;
}

}  // namespace kakehashi::bridge
