#include "bridge/game/known_game.hpp"

#include "config/game_settings.hpp"

namespace kakehashi::bridge {

int minute_of_day(base::WallTime now, std::chrono::minutes utc_offset) {
  const auto local = now + utc_offset;
  const auto since_midnight = local - std::chrono::floor<std::chrono::days>(local);
  return static_cast<int>(std::chrono::floor<std::chrono::minutes>(since_midnight).count());
}

config::GameFacts known_game(const csa::GameSummary& summary, const config::BotConfig& config,
                             base::WallTime now) {
  const bool is_black = summary.our_color == shogi::Color::black;
  const csa::TimeControl& clock = is_black ? summary.times.black : summary.times.white;
  config::GameFacts facts;
  facts.game_name = config::game_name_in(summary.game_id);
  if (facts.game_name.empty()) {
    facts.game_name = config.game.name;
  }
  facts.opponent = summary.name(shogi::opposite(summary.our_color));
  facts.color = summary.our_color;
  facts.total = clock.total.value_or(base::Millis{0});
  facts.byoyomi = clock.byoyomi;
  facts.increment = clock.increment;
  facts.minute_of_day = minute_of_day(now, config.records.utc_offset);
  return facts;
}

}  // namespace kakehashi::bridge
