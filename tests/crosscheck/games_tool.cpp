// Prints the positions of seeded random games, from the starts in positions.txt, with what our
// rules say of each: one line "sfen <tab> in check or not <tab> declaration <tab> points <tab>
// moves". compare_rules.mjs asks another library the same questions.
//
//   games_tool <positions.txt> <games> <plies a game> <seed>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "shogi/game_end.hpp"
#include "tests/support/known_positions.hpp"
#include "tests/support/random_games.hpp"

namespace {

using namespace kakehashi;

void print(const shogi::Position& position, const std::vector<shogi::Move>& moves) {
  const shogi::Color color = position.side_to_move();
  const shogi::Declaration declaration = shogi::judge_declaration(position, color);
  std::cout << shogi::usi::format_sfen(position) << '\t'
            << (shogi::is_in_check(position, color) ? "check" : "-") << '\t'
            << (declaration.is_valid() ? "win" : "-") << '\t' << declaration.points << '\t';
  std::vector<std::string> names;
  for (const shogi::Move& move : moves) {
    names.push_back(shogi::usi::format_move(move));
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::cout << name << ' ';
  }
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: games_tool <positions.txt> <games> <plies a game> <seed>\n";
    return 64;
  }
  try {
    const auto starts = support::read_known_positions(argv[1]);
    std::mt19937_64 random(std::strtoull(argv[4], nullptr, 10));
    const std::size_t games = std::strtoull(argv[2], nullptr, 10);
    for (std::size_t game = 0; game < games; ++game) {
      support::play_random_game(starts[game % starts.size()].position, std::atoi(argv[3]), random,
                                print);
    }
  } catch (const std::exception& failure) {
    std::cerr << "games_tool: " << failure.what() << '\n';
    return 1;
  }
}
