#include "csa/server/chess_clock.hpp"

#include <algorithm>
#include <chrono>

namespace kakehashi::csa::server {

ChessClock::ChessClock(const ClockRules& rules)
    : rules_(rules), main_s_{rules.total_s, rules.total_s} {}

std::int64_t ChessClock::charged_s(base::SteadyTime turn_began, base::SteadyTime now) const {
  const auto elapsed = std::chrono::floor<base::Seconds>(now - turn_began);
  const auto whole = std::max<std::int64_t>(elapsed.count(), 0);
  if (rules_.is_stop_watch) {
    return whole / rules_.byoyomi_s * rules_.byoyomi_s;
  }
  return std::max(whole, rules_.least_time_s);
}

std::optional<std::int64_t> ChessClock::judge(shogi::Color mover, base::SteadyTime turn_began,
                                              base::SteadyTime now) const {
  const auto t = charged_s(turn_began, now);
  if (rules_.is_untimed()) {
    return t;
  }
  const auto main = main_time_s(mover);
  const bool lost = rules_.is_stop_watch
                        ? main <= t
                        : main - t + rules_.byoyomi_s + rules_.increment_s <= 0;
  return lost ? std::nullopt : std::optional(t);
}

void ChessClock::charge(shogi::Color mover, std::int64_t seconds) {
  if (rules_.is_untimed()) {
    return;
  }
  auto& main = main_s_[static_cast<std::size_t>(mover)];
  main = std::max<std::int64_t>(0, main + rules_.increment_s - seconds);
}

std::optional<base::SteadyTime> ChessClock::expiry(shogi::Color mover,
                                                   base::SteadyTime turn_began) const {
  if (rules_.is_untimed()) {
    return std::nullopt;
  }
  const auto main = main_time_s(mover);
  if (rules_.is_stop_watch) {
    // The first whole slice that reaches M; at M = 0 the turn is lost as it begins.
    const auto slices = (main + rules_.byoyomi_s - 1) / rules_.byoyomi_s;
    return turn_began + base::Seconds(slices * rules_.byoyomi_s);
  }
  const auto budget = main + rules_.byoyomi_s + rules_.increment_s;
  return turn_began + base::Seconds(rules_.least_time_s >= budget ? 0 : budget);
}

}  // namespace kakehashi::csa::server
