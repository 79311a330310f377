#include "shogi/notation/handicap.hpp"

#include <array>

namespace kakehashi::shogi {

namespace {

void remove_both(Position& position, int file) {
  position.clear(Square(file, 9));
  position.clear(Square(10 - file, 9));
}

}  // namespace

std::optional<Position> handicap_start(std::string_view name) {
  const Square rook(2, 8);
  const Square bishop(8, 8);
  const Square left_lance(9, 9);
  Position position = Position::startpos();

  if (name == "hclance") {
    position.clear(left_lance);
    return position;
  }
  if (name == "hcbishop") {
    position.clear(bishop);
    return position;
  }
  if (name == "hcrook") {
    position.clear(rook);
    return position;
  }
  if (name == "hcrooklance") {
    position.clear(rook);
    position.clear(left_lance);
    return position;
  }

  // From two pieces on, each step takes one more pair: lances, knights, silvers, golds.
  static constexpr std::array<std::string_view, 5> by_pairs{"hc2p", "hc4p", "hc6p", "hc8p",
                                                            "hc10p"};
  position.clear(rook);
  position.clear(bishop);
  for (std::size_t pairs = 0; pairs < by_pairs.size(); ++pairs) {
    if (pairs > 0) {
      remove_both(position, static_cast<int>(pairs));
    }
    if (name == by_pairs[pairs]) {
      return position;
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi
