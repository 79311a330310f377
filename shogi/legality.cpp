#include "shogi/legality.hpp"

#include <array>
#include <limits>
#include <utility>

#include "shogi/attack.hpp"

namespace kakehashi::shogi {

namespace {

using base::say;

// The zone is the farthest three ranks.
constexpr int zone_ranks = 3;

/// The first rank, as its side counts (1 is the farthest), on which that piece has a further move:
/// 2 for pawn and lance, 3 for knight, 1 for all others.
int first_rank(PieceKind kind) {
  const bool is_slow = kind == PieceKind::pawn || kind == PieceKind::lance;
  return is_slow ? 2 : kind == PieceKind::knight ? 3 : 1;
}

int pawns_on_file(const Position& position, Color color, int file) {
  int pawns = 0;
  for (int rank = 1; rank <= 9; ++rank) {
    pawns += position.at(Square(file, rank)) == Piece{color, PieceKind::pawn} ? 1 : 0;
  }
  return pawns;
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
  if (kind == PieceKind::pawn && pawns_on_file(position, mover, move.to().file()) > 0) {
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

base::Message describe(Color side) { return side == Color::black ? say("black") : say("white"); }

base::Message describe(Verdict verdict) {
  switch (verdict) {
    case Verdict::legal: return say("legal");
    case Verdict::no_piece_there: return say("the side to move has no such piece there");
    case Verdict::own_piece_on_target: return say("the target square is occupied");
    case Verdict::piece_does_not_move_so:
      return say("the piece does not move so, or its way is blocked");
    case Verdict::cannot_promote: return say("the piece cannot promote with this move");
    case Verdict::must_promote: return say("the piece must promote: it would have no further move");
    case Verdict::no_further_move: return say("the dropped piece would have no further move");
    case Verdict::two_pawns: return say("two unpromoted pawns on one file (nifu)");
    case Verdict::drop_pawn_mate: return say("checkmate by a dropped pawn (uchifuzume)");
    case Verdict::king_left_in_check: return say("the own king is left in check");
  }
  return {};
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

// --- all legal moves at once: checks and pins on the own king are found first, so that hardly any move has to be tried
// out. judge() reaches the same verdicts on its own way.

namespace {

// What the attackers of the own king forbid to the other pieces.
class KingSafety {
 public:
  explicit KingSafety(const Position& position) {
    pins_.fill(no_pin);
    answers_.fill(false);
    if (const std::optional<Square> king = position.king(position.side_to_move())) {
      for (int i = 0; i < direction_count; ++i) {
        look(position, *king, i);
      }
    }
  }

  [[nodiscard]] int checkers() const { return checkers_; }
  /// Whether a piece other than the king ends the check, if any, by going to that square. Nothing
  /// ends two checks at once; the caller looks at checkers() first.
  [[nodiscard]] bool answers(int square_index) const {
    return checkers_ == 0 || answers_[at(square_index)];
  }
  /// Whether that piece, pinned perhaps, may leave its square in that direction.
  [[nodiscard]] bool may_leave(int square_index, Direction direction) const {
    const std::int8_t pin = pins_[at(square_index)];
    return pin == no_pin || pin == static_cast<int>(direction) ||
           pin == static_cast<int>(reversed(direction));
  }

 private:
  static constexpr std::int8_t no_pin = -1;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  // Looks from the king along one direction for a checker, or for an own piece and what pins it.
  void look(const Position& position, Square king, int direction_index) {
    const Direction outward = direction_of(direction_index);
    const Direction inward = reversed(outward);
    const bool is_jump = direction_index >= neighbour_count;
    const int first = neighbour(king.index(), outward);
    int shield = off_board;
    for (int index = first; index != off_board; index = neighbour(index, outward)) {
      if (const std::optional<Piece> piece = position.at(Square::from_index(index))) {
        if (piece->color == position.side_to_move()) {
          if (shield != off_board || is_jump) {
            return;
          }
          shield = index;
          continue;
        }
        if (!(index == first ? steps(*piece, inward) : slides(*piece, inward))) {
          return;
        }
        if (shield != off_board) {
          pins_[at(shield)] = static_cast<std::int8_t>(direction_index);
          return;
        }
        ++checkers_;
        for (int between = first; between != index; between = neighbour(between, outward)) {
          answers_[at(between)] = true;
        }
        answers_[at(index)] = true;
        return;
      }
      if (is_jump) {
        return;
      }
    }
  }

  int checkers_ = 0;
  std::array<bool, Square::count> answers_;  // squares between the king and a checker, or its own
  std::array<std::int8_t, Square::count> pins_;  // direction from the king through the pinned piece
};

class Generator {
 public:
  /// It may stop once it has found that many.
  explicit Generator(const Position& position, std::size_t enough)
      : position_(position),
        enough_(enough),
        mover_(position.side_to_move()),
        king_(position.king(mover_)),
        safety_(position) {}

  void add_king_moves() {
    if (!king_) {
      return;
    }
    for (int i = 0; i < neighbour_count && moves_.size() < enough_; ++i) {
      const int index = neighbour(king_->index(), direction_of(i));
      if (index == off_board) {
        continue;
      }
      const Square to = Square::from_index(index);
      const std::optional<Piece> target = position_.at(to);
      if ((!target || target->color != mover_) &&
          !is_attacked(position_, to, opposite(mover_), king_->index())) {
        moves_.push_back(Move::board(*king_, to, false));
      }
    }
  }

  void add_other_board_moves() {
    if (safety_.checkers() > 1) {
      return;
    }
    for (int index = 0; index < Square::count && moves_.size() < enough_; ++index) {
      const std::optional<Piece> piece = position_.at(Square::from_index(index));
      if (!piece || piece->color != mover_ || (king_ && king_->index() == index)) {
        continue;
      }
      const unsigned directions = step_directions(*piece);
      for (int i = 0; i < direction_count; ++i) {
        if ((directions >> i & 1U) != 0 && safety_.may_leave(index, direction_of(i))) {
          add_moves_of(*piece, index, direction_of(i));
        }
      }
    }
  }

  void add_drops() {
    if (safety_.checkers() > 1) {
      return;
    }
    for (int i = 0; i < hand_kind_count && moves_.size() < enough_; ++i) {
      const auto kind = static_cast<PieceKind>(i);
      if (position_.hand(mover_, kind) > 0) {
        add_drops_of(kind);
      }
    }
  }

  [[nodiscard]] bool is_empty() const { return moves_.empty(); }
  [[nodiscard]] std::vector<Move> take() { return std::move(moves_); }
  void reserve(std::size_t count) { moves_.reserve(count); }

 private:
  void add_moves_of(Piece piece, int from_index, Direction direction) {
    int index = neighbour(from_index, direction);
    while (index != off_board) {
      const std::optional<Piece> target = position_.at(Square::from_index(index));
      if (target && target->color == mover_) {
        return;
      }
      if (safety_.answers(index)) {
        add_with_promotion(piece, Square::from_index(from_index), Square::from_index(index));
      }
      if (target || !slides(piece, direction)) {
        return;
      }
      index = neighbour(index, direction);
    }
  }

  void add_with_promotion(Piece piece, Square from, Square to) {
    const int to_rank = relative_rank(to, mover_);
    if ((to_rank <= zone_ranks || relative_rank(from, mover_) <= zone_ranks) &&
        promoted(piece.kind)) {
      moves_.push_back(Move::board(from, to, true));
    }
    if (to_rank >= first_rank(piece.kind)) {
      moves_.push_back(Move::board(from, to, false));
    }
  }

  void add_drops_of(PieceKind kind) {
    for (int file = 1; file <= 9; ++file) {
      if (kind == PieceKind::pawn && pawns_on_file(position_, mover_, file) > 0) {
        continue;
      }
      for (int rank = 1; rank <= 9; ++rank) {
        const Square to(file, rank);
        if (!position_.at(to) && safety_.answers(to.index()) &&
            relative_rank(to, mover_) >= first_rank(kind) &&
            !(kind == PieceKind::pawn && is_drop_pawn_mate(to))) {
          moves_.push_back(Move::drop(kind, to));
        }
      }
    }
  }

  [[nodiscard]] bool is_drop_pawn_mate(Square to) const {
    const std::optional<Square> target = position_.king(opposite(mover_));
    const Direction forward = mover_ == Color::black ? Direction::up : Direction::down;
    if (!target || neighbour(to.index(), forward) != target->index()) {
      return false;
    }
    // The answers cannot contain a pawn drop, since a check from next to the king leaves no square
    // in between: this recursion is one level deep.
    Position after = position_;
    after.play(Move::drop(PieceKind::pawn, to));
    return !has_legal_move(after);
  }

  const Position& position_;
  std::size_t enough_;
  Color mover_;
  std::optional<Square> king_;
  KingSafety safety_;
  std::vector<Move> moves_;
};

}  // namespace

std::vector<Move> legal_moves(const Position& position) {
  // The most that any position allows is 593.
  Generator generator(position, std::numeric_limits<std::size_t>::max());
  generator.reserve(128);
  generator.add_king_moves();
  generator.add_other_board_moves();
  generator.add_drops();
  return generator.take();
}

bool has_legal_move(const Position& position) {
  Generator generator(position, 1);
  generator.add_other_board_moves();  // the cheapest to find
  generator.add_king_moves();
  generator.add_drops();
  return !generator.is_empty();
}

// --- positions

namespace {

int kings_of(const Position& position, Color color) {
  int kings = 0;
  for (int index = 0; index < Square::count; ++index) {
    kings += position.at(Square::from_index(index)) == Piece{color, PieceKind::king} ? 1 : 0;
  }
  return kings;
}

}  // namespace

int pieces_in_set(PieceKind kind) {
  // Pawn, lance, knight, silver, gold, bishop, rook, king.
  constexpr std::array counts{18, 4, 4, 4, 4, 2, 2, 2};
  return counts.at(static_cast<std::size_t>(unpromoted(kind)));
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

std::optional<base::Message> impossible_because(const Position& position) {
  for (int i = 0; i <= static_cast<int>(PieceKind::king); ++i) {
    const auto kind = static_cast<PieceKind>(i);
    if (const int used = pieces_used(position, kind); used > pieces_in_set(kind)) {
      return say("more pieces of a kind than a set has: {} instead of {}", used, pieces_in_set(kind));
    }
  }
  for (const Color color : {Color::black, Color::white}) {
    if (kings_of(position, color) > 1) {
      return say("{} has two kings", describe(color));
    }
    for (int file = 1; file <= 9; ++file) {
      if (pawns_on_file(position, color, file) > 1) {
        return say("{} has two unpromoted pawns on file {}", describe(color), file);
      }
    }
  }
  for (int index = 0; index < Square::count; ++index) {
    const Square square = Square::from_index(index);
    const std::optional<Piece> piece = position.at(square);
    if (piece && relative_rank(square, piece->color) < first_rank(piece->kind)) {
      return say("the piece on {} has no further move", 10 * square.file() + square.rank());
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi
