// The room bot: a bot's life and its connection. It owns which machine runs, logins, pauses, the next game and the
// exit; it judges no move and knows no file. Nothing but the driver and the journal's replay calls it.
//
// The core: one account on one server with one engine. Bot::step takes what happened and when, and
// returns what to do. It never calls out, so nothing re-enters; it reads no clock and holds no
// socket; two bots share nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/event.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/outbox.hpp"
#include "bridge/view.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge {


class Bot {
 public:
  /// `seed` feeds the jitter of retries; the same seed and events give the same actions.
  Bot(config::BotConfig config, std::uint64_t seed);
  ~Bot();
  Bot(Bot&&) noexcept;
  Bot& operator=(Bot&&) noexcept;

  /// The first actions; once, before any step.
  [[nodiscard]] Actions start(base::Now now);
  [[nodiscard]] Actions step(const Event& event, base::Now now);

  /// A game is on, or about to begin.
  [[nodiscard]] bool is_playing() const;
  /// The next instant that may decide it, by a `stop` or by a move in the engine's place, if one is known.
  [[nodiscard]] std::optional<base::SteadyTime> decides_at() const;
  /// The present state, for people and supervisors.
  [[nodiscard]] View view() const;
  /// The last game that ended, for the archive; another object with each game, null before the first.
  [[nodiscard]] std::shared_ptr<const FinishedGame> finished_game() const;

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace kakehashi::bridge
