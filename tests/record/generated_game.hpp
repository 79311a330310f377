// Seeded games for record tests: random legal moves with times, evaluations, comments and every
// kind of ending, from ordinary, handicap and resumed starts.
#pragma once

#include <cstdint>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// The same seed gives the same game. V2.2 keeps whole seconds only: `whole_seconds` keeps to them.
[[nodiscard]] Record generate_game(std::uint32_t seed, bool whole_seconds);

}  // namespace kakehashi::shogi::record
