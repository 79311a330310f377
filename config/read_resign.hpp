// The key that says when a game is given up: a word, or a score and a number of moves.
#pragma once

#include "config/read_key.hpp"

namespace kakehashi::config {

void read_resign(const KeyValue& value, Resign& resign, Report& report);

inline constexpr int resign_score_max = 100'000;
inline constexpr int resign_moves_max = 100;

}  // namespace kakehashi::config
