#include "shogi/possible.hpp"

#include "shogi/legality.hpp"

namespace kakehashi::shogi {

namespace {

std::string name_of(Square square) {
  return std::to_string(square.file()) + std::to_string(square.rank());
}

int pawns_on_file(const Position& position, Color color, int file) {
  int pawns = 0;
  for (int rank = 1; rank <= 9; ++rank) {
    if (position.at(Square(file, rank)) == Piece{color, PieceKind::pawn}) {
      ++pawns;
    }
  }
  return pawns;
}

int kings_of(const Position& position, Color color) {
  int kings = 0;
  for (int index = 0; index < Square::count; ++index) {
    if (position.at(Square::from_index(index)) == Piece{color, PieceKind::king}) {
      ++kings;
    }
  }
  return kings;
}

}  // namespace

int pieces_in_set(PieceKind kind) {
  switch (unpromoted(kind)) {
    case PieceKind::pawn: return 18;
    case PieceKind::lance:
    case PieceKind::knight:
    case PieceKind::silver:
    case PieceKind::gold: return 4;
    case PieceKind::bishop:
    case PieceKind::rook:
    case PieceKind::king:
    case PieceKind::promoted_pawn:
    case PieceKind::promoted_lance:
    case PieceKind::promoted_knight:
    case PieceKind::promoted_silver:
    case PieceKind::horse:
    case PieceKind::dragon: return 2;
  }
  return 0;
}

int pieces_used(const Position& position, PieceKind kind) {
  const PieceKind base = unpromoted(kind);
  int used = 0;
  for (int index = 0; index < Square::count; ++index) {
    const std::optional<Piece> piece = position.at(Square::from_index(index));
    if (piece && unpromoted(piece->kind) == base) {
      ++used;
    }
  }
  if (can_be_in_hand(base)) {
    used += position.hand(Color::black, base) + position.hand(Color::white, base);
  }
  return used;
}

std::optional<std::string> impossible_because(const Position& position) {
  for (int i = 0; i <= static_cast<int>(PieceKind::king); ++i) {
    const auto kind = static_cast<PieceKind>(i);
    if (const int used = pieces_used(position, kind); used > pieces_in_set(kind)) {
      return "more pieces of a kind than a set has: " + std::to_string(used) + " instead of " +
             std::to_string(pieces_in_set(kind));
    }
  }
  for (const Color color : {Color::black, Color::white}) {
    const std::string side = color == Color::black ? "black" : "white";
    if (kings_of(position, color) > 1) {
      return side + " has two kings";
    }
    for (int file = 1; file <= 9; ++file) {
      if (pawns_on_file(position, color, file) > 1) {
        return side + " has two unpromoted pawns on file " + std::to_string(file);
      }
    }
  }
  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    const std::optional<Piece> piece = position.at(square);
    if (piece && relative_rank(square, piece->color) < first_rank(piece->kind)) {
      return "the piece on " + name_of(square) + " has no further move";
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi
