// Squares of the board and the two sides. Files 1–9 count from black's right, ranks 1–9 from
// white's side, as both notations write them ("7776", "7g7f").
#pragma once

#include <cstdint>

#include "base/check.hpp"

namespace kakehashi::shogi {

/// Black (sente, ▲, CSA "+", SFEN "b") moves up the board, towards rank 1.
enum class Color : std::uint8_t { black, white };

[[nodiscard]] constexpr Color opposite(Color color) {
  return color == Color::black ? Color::white : Color::black;
}

/// One of the 81 squares; there is no "no square": use std::optional<Square>.
class Square {
 public:
  static constexpr int count = 81;

  /// file and rank in 1..9; anything else is a programmer error.
  constexpr Square(int file, int rank)
      : index_(static_cast<std::uint8_t>((file - 1) * 9 + rank - 1)) {
    KAKEHASHI_CHECK(is_on_board(file, rank), "a square has file and rank 1 to 9");
  }
  [[nodiscard]] static constexpr bool is_on_board(int file, int rank) {
    return file >= 1 && file <= 9 && rank >= 1 && rank <= 9;
  }
  /// index in 0..80; anything else is a programmer error.
  [[nodiscard]] static constexpr Square from_index(int index) {
    KAKEHASHI_CHECK(index >= 0 && index < count, "a square has an index from 0 to 80");
    return Square(static_cast<std::uint8_t>(index));
  }

  [[nodiscard]] constexpr int file() const { return index_ / 9 + 1; }
  [[nodiscard]] constexpr int rank() const { return index_ % 9 + 1; }
  /// 0..80, file by file: 11, 12, … 19, 21, …
  [[nodiscard]] constexpr int index() const { return index_; }

  friend constexpr bool operator==(Square, Square) = default;

 private:
  explicit constexpr Square(std::uint8_t index) : index_(index) {}

  std::uint8_t index_;
};

/// The rank as that side counts it: 1 is the farthest rank, 1..3 the promotion zone.
[[nodiscard]] constexpr int relative_rank(Square square, Color color) {
  return color == Color::black ? square.rank() : 10 - square.rank();
}

}  // namespace kakehashi::shogi
