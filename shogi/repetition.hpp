// Repetition (sennichite) and perpetual check, as shogi-server counts them: positions after a
// played move count, the initial one does not; the fourth occurrence decides.
// The bridge never ends a game by this; it is for logs, for the embedded server and for warnings.
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

}  // namespace kakehashi::shogi
