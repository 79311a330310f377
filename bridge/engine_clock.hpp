// Which form of clock a reading asks for.
#pragma once

#include "config/bot_config.hpp"
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
