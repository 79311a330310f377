// A game that the server offers: from its summary to AGREE, which leaves as soon as an engine is idle and knows the
// game's rules, or to REJECT before the server's own window closes; and what a bot's rules may look at of it.
#pragma once

#include <chrono>
#include <optional>

#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"

namespace kakehashi::bridge {

class Offer {
 public:
  Offer(csa::GameSummary summary, base::SteadyTime offered) : game_(std::move(summary)), offered_(offered) {}

  void agree_when_idle(const GameContext& in);
  /// Its deadline has passed. True when it could not be agreed to in time, and was rejected.
  [[nodiscard]] bool on_time(const GameContext& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// When AGREE left, if it has.
  [[nodiscard]] const std::optional<base::SteadyTime>& agreed_at() const { return agreed_at_; }

  [[nodiscard]] const Game& game() const { return game_; }
  [[nodiscard]] Game take_game() { return std::move(game_); }

 private:
  void note_long_way(const Context& context) const;

  Game game_;
  base::SteadyTime offered_;
  bool is_engine_told_ = false;  ///< of the game's rules
  std::optional<base::SteadyTime> agreed_at_{};
};

/// How long the connection is worth holding for a game that hangs on it: however long the way is cut, our next move
/// may still arrive in time, until the clocks have run out. On the opponent's turn that is theirs and then ours.
[[nodiscard]] base::Millis line_patience(const Game& game, bool is_only_ours);

/// A summary and the time of day. The name is the Game_ID's, or game.name where that has none; the time is of the zone that
/// records are dated in.
[[nodiscard]] config::GameFacts known_game(const csa::GameSummary& summary,
                                           const config::BotConfig& config, base::WallTime now);

/// Minutes after midnight, 0 to 1439.
[[nodiscard]] int minute_of_day(base::WallTime now, std::chrono::minutes utc_offset);

}  // namespace kakehashi::bridge
