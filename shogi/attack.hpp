// How pieces move on an otherwise empty board, and which squares they attack on a given one.
// Knows no turn, no check and no legality: legality builds those on it.
#pragma once

#include <cstdint>

#include "shogi/position.hpp"

namespace kakehashi::shogi {

/// A direction as seen on the board with black below: the eight neighbours clockwise, then the
/// knight's jumps. A half turn of the board maps each direction to one of its own group.
enum class Direction : std::uint8_t {
  up, up_right, right, down_right, down, down_left, left, up_left,
  jump_up_right, jump_up_left, jump_down_left, jump_down_right,
};
inline constexpr int neighbour_count = 8;
inline constexpr int direction_count = 12;

[[nodiscard]] constexpr Direction direction_of(int index) { return static_cast<Direction>(index); }

/// The direction after half a turn of the board: the way back, and the same move for white.
[[nodiscard]] constexpr Direction reversed(Direction direction) {
  const int index = static_cast<int>(direction);
  return direction_of(index < neighbour_count ? (index + 4) % 8 : 8 + (index - 8 + 2) % 4);
}

/// No square: off the board.
inline constexpr int off_board = -1;

/// The index of the square one step (or jump) away; off_board when there is none.
[[nodiscard]] int neighbour(int square_index, Direction direction);

/// One bit for each direction in which the piece can go one step (or jump): 1 << direction.
[[nodiscard]] std::uint16_t step_directions(Piece piece);
/// Whether the piece can go one step (or jump) that way, ranging pieces included.
[[nodiscard]] bool steps(Piece piece, Direction direction);
/// Whether it can go on in that direction over empty squares.
[[nodiscard]] bool slides(Piece piece, Direction direction);

/// Whether a piece on `from` that moves like `piece` reaches `to` with nothing standing in between;
/// what stands on `from` and `to` does not matter.
[[nodiscard]] bool reaches(const Position& position, Piece piece, Square from, Square to);

/// Whether any piece of `attacker` could capture on `target`, pins aside. Lines pass through
/// `vacated`, as if nothing stood there: a king that steps back along a line stays attacked.
[[nodiscard]] bool is_attacked(const Position& position, Square target, Color attacker,
                               int vacated = off_board);

}  // namespace kakehashi::shogi
