// The room shogi: board, pieces and rules. It owns what may be played and how the rules end a game; it knows no
// notation, no clock, no server and no engine.
//
// The board, both hands and the side to move. Knows where pieces stand, not what they may do:
// legality.hpp judges moves, game_end.hpp remembers positions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "shogi/move.hpp"

namespace kakehashi::shogi {

class Position {
 public:
  /// An empty board, nothing in hand, black to move.
  Position() = default;
  /// The ordinary start (hirate).
  [[nodiscard]] static Position startpos();

  [[nodiscard]] std::optional<Piece> at(Square square) const;
  /// How many of that kind (pawn .. rook) the side holds.
  [[nodiscard]] int hand(Color color, PieceKind kind) const;
  [[nodiscard]] Color side_to_move() const { return side_to_move_; }
  /// Where that side's king stands; nothing when it has none (tsume positions, broken input). Of
  /// two kings of one side, which the notations never read, it is the one put last.
  [[nodiscard]] std::optional<Square> king(Color color) const;

  void put(Square square, Piece piece);
  void clear(Square square);
  /// `count` in 0..18, `kind` in pawn .. rook.
  void set_hand(Color color, PieceKind kind, int count);
  void set_side_to_move(Color color) { side_to_move_ = color; }

  /// Plays a move that the rules allow, or at least one that can_play(); anything else is a programmer
  /// error. Use legality.hpp first for moves from outside. A captured king leaves the game.
  void play(const Move& move);
  /// The board and the hands have what the move needs, whatever the rules say: its source holds a piece
  /// of the side to move (or the dropped piece is in hand), its target does not hold an own piece (or,
  /// for a drop, any), and what promotes can promote.
  [[nodiscard]] bool can_play(const Move& move) const;

  /// Board, hands and side to move in 64 bits, for repetition; equal positions have equal keys.
  [[nodiscard]] std::uint64_t key() const;

  friend bool operator==(const Position& a, const Position& b);

 private:
  // Pieces as one byte a square: 0 is empty, otherwise 1 + kind + 16 * color.
  std::array<std::uint8_t, Square::count> board_{};
  std::array<std::array<std::uint8_t, hand_kind_count>, 2> hands_{};
  std::array<std::int8_t, 2> king_index_{-1, -1};
  Color side_to_move_ = Color::black;
  std::uint64_t key_ = 0;  // without the side to move
};

}  // namespace kakehashi::shogi
