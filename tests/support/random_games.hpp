// Legal games without a plan, the same for the same seed everywhere: a source of many different
// positions. Header only: its users link nothing but the shogi library.
#pragma once

#include <random>
#include <vector>

#include "shogi/legality.hpp"

namespace kakehashi::support {

/// Plays a game from `start` until a side has no legal move or `plies_max` is reached, and hands
/// every position on the way, the first included, to `visit(position, legal_moves)`. One move in
/// four is a check when there is one, so that checks, pins and mates come up often.
template <class Visit>
void play_random_game(shogi::Position position, int plies_max, std::mt19937_64& random,
                      Visit visit) {
  for (int ply = 0; ply < plies_max; ++ply) {
    const std::vector<shogi::Move> moves = shogi::legal_moves(position);
    visit(position, moves);
    if (moves.empty()) {
      return;
    }
    const auto pick = [&](const std::vector<shogi::Move>& from) {
      // Distributions differ between standard libraries; the generator itself does not.
      return from[random() % from.size()];
    };
    std::vector<shogi::Move> checks;
    if (random() % 4 == 0) {
      for (const shogi::Move& move : moves) {
        shogi::Position after = position;
        after.play(move);
        if (shogi::is_in_check(after, after.side_to_move())) {
          checks.push_back(move);
        }
      }
    }
    position.play(pick(checks.empty() ? moves : checks));
  }
}

}  // namespace kakehashi::support
