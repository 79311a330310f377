// Games for the benchmarks: legal, random, the same in every run, long. The bridge plays white, so
// that each of its moves answers a line of the server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kakehashi::bench {

struct GameLines {
  std::vector<std::string> black;      ///< CSA, as the server sends them, without T
  std::vector<std::string> black_usi;
  std::vector<std::string> white_csa;  ///< the answers
  std::vector<std::string> white_usi;
};

/// Each of exactly 2 * `moves` plies.
[[nodiscard]] std::vector<GameLines> make_games(int games, int moves, std::uint64_t seed);

}  // namespace kakehashi::bench
