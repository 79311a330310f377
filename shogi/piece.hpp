// Pieces and their kinds, promoted kinds included.
#pragma once

#include <cstdint>
#include <optional>

#include "shogi/square.hpp"

namespace kakehashi::shogi {

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

}  // namespace kakehashi::shogi
