// The configuration that a bot plays by and the one that follows it, with the games that count for both:
// game.count is of a bot's whole life, however often it begins anew.
#pragma once

#include <climits>
#include <optional>
#include <utility>

#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class ConfigInTurn {
 public:
  explicit ConfigInTurn(config::BotConfig config) : now_(std::move(config)) {}

  [[nodiscard]] const config::BotConfig& now() const { return now_; }
  void put_next(config::BotConfig config) { next_ = std::move(config); }
  [[nodiscard]] bool has_next() const { return next_.has_value(); }
  /// The next one has games left to play, when this bot has finished that many.
  [[nodiscard]] bool has_games_for_next(int finished) const {
    return next_ && next_->game.count.value_or(INT_MAX) > finished_ + finished;
  }
  [[nodiscard]] bool is_played_out() const { return now_.game.count.value_or(1) <= 0; }

  /// A bot is gone that had finished so many games.
  void count(int finished) {
    finished_ += finished;
    if (now_.game.count) {
      *now_.game.count -= finished;
    }
  }
  void take_next() {
    now_ = std::move(*next_);
    next_.reset();
    if (now_.game.count) {
      *now_.game.count -= finished_;
    }
  }

 private:
  config::BotConfig now_;
  std::optional<config::BotConfig> next_;
  int finished_ = 0;  ///< by the bots before the present one
};

}  // namespace kakehashi::bridge::io
