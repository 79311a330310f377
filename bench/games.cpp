#include "bench/games.hpp"

#include <random>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bench {

namespace {

bool add_game(int moves, std::mt19937_64& random, GameLines& game) {
  shogi::Position position = shogi::Position::startpos();
  for (int ply = 0; ply < 2 * moves; ++ply) {
    const std::vector<shogi::Move> legal = shogi::legal_moves(position);
    if (legal.empty()) {
      return false;
    }
    const shogi::Move& move = legal[random() % legal.size()];
    const std::string csa = shogi::csa::format_move(position, move);
    if (ply % 2 == 0) {
      game.black.push_back(csa);
      game.black_usi.push_back(shogi::usi::format_move(move));
    } else {
      game.white_csa.push_back(csa);
      game.white_usi.push_back(shogi::usi::format_move(move));
    }
    position.play(move);
  }
  return true;
}

}  // namespace

std::vector<GameLines> make_games(int games, int moves, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<GameLines> all;
  while (static_cast<int>(all.size()) < games) {
    GameLines game;
    if (add_game(moves, random, game)) {
      all.push_back(std::move(game));
    }
  }
  return all;
}

}  // namespace kakehashi::bench
