// How the rules end a game without a mate: repetition (sennichite) and perpetual check, as shogi-server counts them, and
// the declaration of an entering-king win (nyugyoku sengen), "Jishogi 1.1", by the 27-point rule as shogi-server judges
// it. The bridge ends no game by repetition; it is for logs, for the embedded server and for warnings.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "shogi/position.hpp"

namespace kakehashi::shogi {

enum class Repetition {
  none,
  draw,                     ///< sennichite
  perpetual_check_by_mover, ///< the side that just moved loses (oute sennichite)
  perpetual_check_by_other, ///< the side that just moved was in perpetual check, and wins
};

class RepetitionCounter {
 public:
  /// Takes the position after a move was played; says whether the game is decided by it.
  [[nodiscard]] Repetition after_move(const Position& position);
  /// How often that position has come up so far, itself included.
  [[nodiscard]] int occurrences(const Position& position) const;

 private:
  std::unordered_map<std::uint64_t, int> seen_;
  // Per side: occurrences within its present unbroken run of checks.
  std::unordered_map<std::uint64_t, int> checks_[2];
};

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
