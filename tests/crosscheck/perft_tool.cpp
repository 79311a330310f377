// Counts the leaves of the game tree. Reads "<depth> <sfen>" lines; answers each with one line per
// root move, "7g7f 30 0", and then "total 900 0". The second number counts the mating pawn drops
// (uchifuzume) in the last ply: no moves for us, but for the program we compare with. At the root
// such a drop is listed with no leaves.
#include <cstdint>
#include <iostream>
#include <string>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi {
namespace {

struct Leaves {
  std::uint64_t moves = 0;
  std::uint64_t mating_pawn_drops = 0;

  Leaves& operator+=(const Leaves& other) {
    moves += other.moves;
    mating_pawn_drops += other.mating_pawn_drops;
    return *this;
  }
};

std::ostream& operator<<(std::ostream& out, const Leaves& leaves) {
  return out << leaves.moves << ' ' << leaves.mating_pawn_drops << '\n';
}

std::vector<Move> mating_pawn_drops(const Position& position) {
  std::vector<Move> drops;
  for (int index = 0; index < Square::count; ++index) {
    const Move drop = Move::drop(PieceKind::pawn, Square::from_index(index));
    if (judge(position, drop) == Verdict::drop_pawn_mate) {
      drops.push_back(drop);
    }
  }
  return drops;
}

Leaves perft(const Position& position, int depth) {
  if (depth == 0) {
    return {.moves = 1, .mating_pawn_drops = 0};
  }
  const std::vector<Move> moves = legal_moves(position);
  if (depth == 1) {
    return {.moves = moves.size(), .mating_pawn_drops = mating_pawn_drops(position).size()};
  }
  Leaves leaves;
  for (const Move& move : moves) {
    Position after = position;
    after.play(move);
    leaves += perft(after, depth - 1);
  }
  return leaves;
}

void divide(const Position& position, int depth) {
  Leaves total;
  for (const Move& move : legal_moves(position)) {
    Position after = position;
    after.play(move);
    const Leaves leaves = perft(after, depth - 1);
    std::cout << shogi::usi::format_move(move) << ' ' << leaves;
    total += leaves;
  }
  for (const Move& drop : mating_pawn_drops(position)) {
    const Leaves leaves{.moves = 0, .mating_pawn_drops = depth == 1 ? 1U : 0U};
    std::cout << shogi::usi::format_move(drop) << ' ' << leaves;
    total += leaves;
  }
  std::cout << "total " << total;
}

}  // namespace
}  // namespace kakehashi::shogi

int main() {
  using namespace kakehashi::shogi;
  for (std::string line; std::getline(std::cin, line);) {
    const bool has_depth = line.size() > 2 && line[0] >= '1' && line[0] <= '9' && line[1] == ' ';
    const auto position = usi::parse_sfen(has_depth ? std::string_view(line).substr(2) : "");
    if (!position) {
      std::cerr << "perft_tool: not a depth and a position: " << line << '\n';
      return 1;
    }
    divide(*position, line[0] - '0');
  }
}
