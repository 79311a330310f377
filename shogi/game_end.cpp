#include "shogi/game_end.hpp"

#include "shogi/legality.hpp"

namespace kakehashi::shogi {

namespace {

constexpr int deciding_count = 4;
// The first of four occurrences may stand before the opponent's run of checks began.
constexpr int escaping_count = 3;

int count_in(const std::unordered_map<std::uint64_t, int>& counts, std::uint64_t key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

Repetition RepetitionCounter::after_move(const Position& position) {
  const std::uint64_t key = position.key();
  const Color mover = opposite(position.side_to_move());
  auto& own_run = checks_[static_cast<int>(mover)];
  auto& other_run = checks_[static_cast<int>(opposite(mover))];

  const int occurrences = ++seen_[key];
  if (is_in_check(position, opposite(mover))) {
    ++own_run[key];
  } else {
    own_run.clear();
  }
  // The other side's run of checks goes on through this move, which answers its last check.
  if (!other_run.empty()) {
    ++other_run[key];
  }

  if (occurrences < deciding_count) {
    return Repetition::none;
  }
  if (count_in(own_run, key) >= deciding_count) {
    return Repetition::perpetual_check_by_mover;
  }
  if (count_in(other_run, key) >= escaping_count) {
    return Repetition::perpetual_check_by_other;
  }
  return Repetition::draw;
}

int RepetitionCounter::occurrences(const Position& position) const {
  return count_in(seen_, position.key());
}

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
