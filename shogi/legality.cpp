#include "shogi/legality.hpp"

#include "shogi/attack.hpp"

namespace kakehashi::shogi {

namespace {

// The zone is the farthest three ranks.
constexpr int zone_ranks = 3;

bool has_pawn_on_file(const Position& position, Color color, int file) {
  for (int rank = 1; rank <= 9; ++rank) {
    if (position.at(Square(file, rank)) == Piece{color, PieceKind::pawn}) {
      return true;
    }
  }
  return false;
}

bool leaves_king_in_check(const Position& position, const Move& move) {
  Position after = position;
  after.play(move);
  return is_in_check(after, position.side_to_move());
}

// Whether the side to move, checked by the pawn just dropped on `pawn`, can move its king or
// capture that pawn. Nothing can be put in between.
bool can_answer_dropped_pawn(const Position& position, Square pawn) {
  const auto is_playable = [&](Square from, Square to) {
    return is_legal(position, Move::board(from, to, false)) ||
           is_legal(position, Move::board(from, to, true));
  };
  const std::optional<Square> king = position.king(position.side_to_move());
  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    if (is_playable(square, pawn) || (king && is_playable(*king, square))) {
      return true;
    }
  }
  return false;
}

Verdict judge_drop(const Position& position, const Move& move) {
  const Color mover = position.side_to_move();
  const PieceKind kind = move.dropped();
  if (position.hand(mover, kind) == 0) {
    return Verdict::no_piece_there;
  }
  if (position.at(move.to())) {
    return Verdict::own_piece_on_target;
  }
  if (relative_rank(move.to(), mover) < first_rank(kind)) {
    return Verdict::no_further_move;
  }
  if (kind == PieceKind::pawn && has_pawn_on_file(position, mover, move.to().file())) {
    return Verdict::two_pawns;
  }
  if (leaves_king_in_check(position, move)) {
    return Verdict::king_left_in_check;
  }
  if (kind == PieceKind::pawn) {
    Position after = position;
    after.play(move);
    const std::optional<Square> king = after.king(after.side_to_move());
    if (king && reaches(after, {mover, kind}, move.to(), *king) &&
        !can_answer_dropped_pawn(after, move.to())) {
      return Verdict::drop_pawn_mate;
    }
  }
  return Verdict::legal;
}

Verdict judge_board_move(const Position& position, const Move& move) {
  const Color mover = position.side_to_move();
  const std::optional<Piece> piece = position.at(move.from());
  if (!piece || piece->color != mover) {
    return Verdict::no_piece_there;
  }
  const std::optional<Piece> target = position.at(move.to());
  if (target && target->color == mover) {
    return Verdict::own_piece_on_target;
  }
  if (!reaches(position, *piece, move.from(), move.to())) {
    return Verdict::piece_does_not_move_so;
  }
  if (move.promotes()) {
    const bool touches_zone = relative_rank(move.from(), mover) <= zone_ranks ||
                              relative_rank(move.to(), mover) <= zone_ranks;
    if (!promoted(piece->kind) || !touches_zone) {
      return Verdict::cannot_promote;
    }
  } else if (relative_rank(move.to(), mover) < first_rank(piece->kind)) {
    return Verdict::must_promote;
  }
  return leaves_king_in_check(position, move) ? Verdict::king_left_in_check : Verdict::legal;
}

}  // namespace

const char* describe(Verdict verdict) {
  switch (verdict) {
    case Verdict::legal: return "legal";
    case Verdict::no_piece_there: return "the side to move has no such piece there";
    case Verdict::own_piece_on_target: return "the target square is occupied";
    case Verdict::piece_does_not_move_so:
      return "the piece does not move so, or its way is blocked";
    case Verdict::cannot_promote: return "the piece cannot promote with this move";
    case Verdict::must_promote: return "the piece must promote: it would have no further move";
    case Verdict::no_further_move: return "the dropped piece would have no further move";
    case Verdict::two_pawns: return "two unpromoted pawns on one file (nifu)";
    case Verdict::drop_pawn_mate: return "checkmate by a dropped pawn (uchifuzume)";
    case Verdict::king_left_in_check: return "the own king is left in check";
  }
  return "";
}

int first_rank(PieceKind kind) {
  switch (kind) {
    case PieceKind::pawn:
    case PieceKind::lance: return 2;
    case PieceKind::knight: return 3;
    case PieceKind::silver:
    case PieceKind::gold:
    case PieceKind::bishop:
    case PieceKind::rook:
    case PieceKind::king:
    case PieceKind::promoted_pawn:
    case PieceKind::promoted_lance:
    case PieceKind::promoted_knight:
    case PieceKind::promoted_silver:
    case PieceKind::horse:
    case PieceKind::dragon: return 1;
  }
  return 1;
}

Verdict judge(const Position& position, const Move& move) {
  return move.is_drop() ? judge_drop(position, move) : judge_board_move(position, move);
}

bool is_in_check(const Position& position, Color color) {
  const std::optional<Square> king = position.king(color);
  return king && is_attacked(position, *king, opposite(color));
}

bool is_mated(const Position& position) {
  return is_in_check(position, position.side_to_move()) && !has_legal_move(position);
}

}  // namespace kakehashi::shogi
