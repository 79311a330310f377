// The declaration of an entering-king win (nyugyoku sengen), "Jishogi 1.1": the 27-point rule as
// shogi-server judges it.
#pragma once

#include "shogi/position.hpp"

namespace kakehashi::shogi {

/// The facts of a declaration by one side. Pieces and points leave the king out; rook, bishop and
/// their promoted forms count 5, all others 1.
struct Declaration {
  bool is_own_turn = false;
  bool is_in_check = false;
  bool king_in_camp = false;     ///< the king stands on the farthest three ranks
  int pieces_in_camp = 0;        ///< own pieces there, without the king; 10 are needed
  int points = 0;                ///< of those pieces and of the hand
  int points_needed = 28;        ///< 28 for black, 27 for white

  [[nodiscard]] bool is_valid() const {
    return is_own_turn && !is_in_check && king_in_camp && pieces_in_camp >= 10 &&
           points >= points_needed;
  }
};

[[nodiscard]] Declaration judge_declaration(const Position& position, Color color);

}  // namespace kakehashi::shogi
