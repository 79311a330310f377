// Seeded games for record tests: random legal moves with times, evaluations, comments and every
// kind of ending, from ordinary, handicap and resumed starts.
#pragma once

#include <cstdint>

#include "shogi/record/csa.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// The same seed gives the same game, which keeps to what the version can say: V2.2 has whole
/// seconds, no count of nodes and no %MAX_MOVES. Seeds 0 to 13 have each kind of ending once.
[[nodiscard]] Record generate_game(std::uint32_t seed, CsaVersion version);
/// The same from another start.
[[nodiscard]] Record generate_game_from(const Position& start, std::uint32_t seed,
                                        CsaVersion version);

}  // namespace kakehashi::shogi::record
