// A move for our turn when no engine gives one: pure, from what is known of the game.
#pragma once

#include <optional>
#include <string>

#include "bridge/finished_game.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/thought.hpp"

namespace kakehashi::bridge {

struct Fallback {
  shogi::Move move;
  base::Message source;  ///< "the first move of the engine's last line"
};

/// The move that takes a king which was left in check; else what an engine thought best last; else what another
/// advises (USI, may be empty); else what was planned on an earlier turn; else any legal one. Nothing where
/// there is none.
[[nodiscard]] std::optional<Fallback> choose_fallback(const Game& game, const Thinking& thinking,
                                                      const std::string& advice);

}  // namespace kakehashi::bridge
