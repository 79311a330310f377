#include "csa/game_clock.hpp"

#include <algorithm>

namespace kakehashi::csa {

using base::Millis;
using shogi::Color;

namespace {

constexpr Millis day = std::chrono::hours{24};

}  // namespace

GameClock::GameClock(const TimeControls& controls)
    : controls_(controls), main_times_{controls.black.total.value_or(Millis{0}), controls.white.total.value_or(Millis{0})} {}

const TimeControl& GameClock::control(Color color) const {
  return color == Color::black ? controls_.black : controls_.white;
}

void GameClock::set_main_time(Color color, Millis main_time) {
  main_times_[static_cast<std::size_t>(color)] = std::clamp(main_time, Millis{0}, day);
}

void GameClock::cap_at_total() {
  for (const Color color : {Color::black, Color::white}) {
    const Millis total = control(color).total.value_or(Millis{0});
    set_main_time(color, std::min(main_time(color), total));
    if (budget(color) == Millis{0}) {
      set_main_time(color, total);
    }
  }
}

void GameClock::charge(Color mover, Millis consumed) {
  if (control(mover).is_untimed()) {
    return;
  }
  const Millis charged = std::clamp(consumed, Millis{0}, day);
  set_main_time(mover, main_time(mover) + control(mover).increment - charged);
}

std::optional<Millis> GameClock::budget(Color color) const {
  const TimeControl& own = control(color);
  if (own.is_untimed()) {
    return std::nullopt;
  }
  if (own.is_stop_watch) {
    // Whole slices of `byoyomi` are charged, and the flag falls when nothing is left of the main
    // time: the slice is no extra time (shogi-server's stop-watch clock).
    return main_time(color);
  }
  return main_time(color) + own.increment + own.byoyomi;
}

}  // namespace kakehashi::csa
