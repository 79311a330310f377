#include "shogi/declaration.hpp"

#include "shogi/legality.hpp"

namespace kakehashi::shogi {

namespace {

constexpr int camp_ranks = 3;

int points_of(PieceKind kind) {
  const PieceKind base = unpromoted(kind);
  return base == PieceKind::rook || base == PieceKind::bishop ? 5 : 1;
}

}  // namespace

Declaration judge_declaration(const Position& position, Color color) {
  Declaration declaration;
  declaration.is_own_turn = position.side_to_move() == color;
  declaration.is_in_check = is_in_check(position, color);
  declaration.points_needed = color == Color::black ? 28 : 27;

  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    const std::optional<Piece> piece = position.at(square);
    if (!piece || piece->color != color || relative_rank(square, color) > camp_ranks) {
      continue;
    }
    if (piece->kind == PieceKind::king) {
      declaration.king_in_camp = true;
    } else {
      ++declaration.pieces_in_camp;
      declaration.points += points_of(piece->kind);
    }
  }
  for (int i = 0; i < hand_kind_count; ++i) {
    const auto kind = static_cast<PieceKind>(i);
    declaration.points += position.hand(color, kind) * points_of(kind);
  }
  return declaration;
}

}  // namespace kakehashi::shogi
