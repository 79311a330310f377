// What a move is said with, and the move itself: the two sides, squares, pieces. A move knows no position: which
// piece moves, and whether it may, is the position's business (legality.hpp). Files 1–9 count from black's right,
// ranks 1–9 from white's side, as both notations write them ("7776", "7g7f").
#pragma once

#include <cstdint>
#include <optional>

#include "base/check.hpp"

namespace kakehashi::shogi {

// --- sides and squares

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

// --- pieces and their kinds, promoted kinds included

/// CSA: FU KY KE GI KI KA HI OU TO NY NK NG UM RY. The promoted kinds follow in the same order.
enum class PieceKind : std::uint8_t {
  pawn, lance, knight, silver, gold, bishop, rook, king,
  promoted_pawn, promoted_lance, promoted_knight, promoted_silver, horse, dragon,
};
inline constexpr int piece_kind_count = 14;
/// The kinds that can be held in hand: pawn .. rook.
inline constexpr int hand_kind_count = 7;

struct Piece {
  Color color;
  PieceKind kind;

  friend constexpr bool operator==(Piece, Piece) = default;
};

[[nodiscard]] constexpr bool is_promoted(PieceKind kind) { return kind > PieceKind::king; }
[[nodiscard]] constexpr bool can_be_in_hand(PieceKind kind) { return kind < PieceKind::king; }

/// The promoted form; nothing for gold, king and promoted pieces.
[[nodiscard]] constexpr std::optional<PieceKind> promoted(PieceKind kind) {
  switch (kind) {
    case PieceKind::pawn: return PieceKind::promoted_pawn;
    case PieceKind::lance: return PieceKind::promoted_lance;
    case PieceKind::knight: return PieceKind::promoted_knight;
    case PieceKind::silver: return PieceKind::promoted_silver;
    case PieceKind::bishop: return PieceKind::horse;
    case PieceKind::rook: return PieceKind::dragon;
    case PieceKind::gold:
    case PieceKind::king:
    case PieceKind::promoted_pawn:
    case PieceKind::promoted_lance:
    case PieceKind::promoted_knight:
    case PieceKind::promoted_silver:
    case PieceKind::horse:
    case PieceKind::dragon: return std::nullopt;
  }
  return std::nullopt;
}

/// The form in which a captured piece goes to hand.
[[nodiscard]] constexpr PieceKind unpromoted(PieceKind kind) {
  switch (kind) {
    case PieceKind::promoted_pawn: return PieceKind::pawn;
    case PieceKind::promoted_lance: return PieceKind::lance;
    case PieceKind::promoted_knight: return PieceKind::knight;
    case PieceKind::promoted_silver: return PieceKind::silver;
    case PieceKind::horse: return PieceKind::bishop;
    case PieceKind::dragon: return PieceKind::rook;
    case PieceKind::pawn:
    case PieceKind::lance:
    case PieceKind::knight:
    case PieceKind::silver:
    case PieceKind::gold:
    case PieceKind::bishop:
    case PieceKind::rook:
    case PieceKind::king: return kind;
  }
  return kind;
}

// --- moves

class Move {
 public:
  [[nodiscard]] static constexpr Move board(Square from, Square to, bool promotes) {
    return Move(from, PieceKind::pawn, to, promotes);
  }
  /// `kind` is one that can be held in hand.
  [[nodiscard]] static constexpr Move drop(PieceKind kind, Square to) {
    KAKEHASHI_CHECK(can_be_in_hand(kind), "only a piece in hand is dropped");
    return Move(std::nullopt, kind, to, false);
  }

  [[nodiscard]] constexpr bool is_drop() const { return !from_.has_value(); }
  /// Board moves only.
  [[nodiscard]] constexpr Square from() const {
    KAKEHASHI_CHECK(from_.has_value(), "a drop has no source square");
    return *from_;
  }
  /// Drops only.
  [[nodiscard]] constexpr PieceKind dropped() const {
    KAKEHASHI_CHECK(is_drop(), "a board move drops nothing");
    return dropped_;
  }
  [[nodiscard]] constexpr Square to() const { return to_; }
  [[nodiscard]] constexpr bool promotes() const { return promotes_; }

  friend constexpr bool operator==(const Move&, const Move&) = default;

 private:
  constexpr Move(std::optional<Square> from, PieceKind dropped, Square to, bool promotes)
      : from_(from), dropped_(dropped), to_(to), promotes_(promotes) {}

  std::optional<Square> from_;
  PieceKind dropped_;
  Square to_;
  bool promotes_;
};

}  // namespace kakehashi::shogi
