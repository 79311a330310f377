#include "shogi/position.hpp"

#include <algorithm>

namespace kakehashi::shogi {

namespace {

// SplitMix64: well-mixed 64-bit numbers from a counter, so that a key in a journal means the same position tomorrow.
constexpr std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBU;
  return number ^ (number >> 31);
}

constexpr int code_count = 32;
constexpr int hand_max = 18;
constexpr std::uint64_t hand_keys_begin = std::uint64_t{Square::count} * code_count;
constexpr std::uint64_t turn_key = mixed(std::uint64_t{1} << 32);

// An empty square and an empty hand weigh nothing, so that the empty position has the key 0.
constexpr std::uint64_t square_key(std::size_t square, std::uint8_t code) {
  return code == 0 ? 0 : mixed(square * code_count + code);
}

constexpr std::uint64_t hand_key(std::size_t color, std::size_t kind, int count) {
  const std::uint64_t hand = (color * hand_kind_count + kind) * (hand_max + 1);
  return count == 0 ? 0 : mixed(hand_keys_begin + hand + static_cast<std::uint64_t>(count));
}

constexpr std::uint8_t code_of(Piece piece) {
  return static_cast<std::uint8_t>(1 + static_cast<int>(piece.kind) +
                                   16 * static_cast<int>(piece.color));
}

constexpr std::size_t index_of(Square square) { return static_cast<std::size_t>(square.index()); }
constexpr std::size_t index_of(Color color) { return static_cast<std::size_t>(color); }
constexpr std::size_t index_of(PieceKind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

Position Position::startpos() {
  static constexpr std::array back_rank{PieceKind::lance,  PieceKind::knight, PieceKind::silver,
                                        PieceKind::gold,   PieceKind::king,   PieceKind::gold,
                                        PieceKind::silver, PieceKind::knight, PieceKind::lance};
  Position position;
  for (int file = 1; file <= 9; ++file) {
    const PieceKind kind = back_rank[static_cast<std::size_t>(file - 1)];
    position.put(Square(file, 1), {Color::white, kind});
    position.put(Square(file, 3), {Color::white, PieceKind::pawn});
    position.put(Square(file, 7), {Color::black, PieceKind::pawn});
    position.put(Square(file, 9), {Color::black, kind});
  }
  position.put(Square(8, 2), {Color::white, PieceKind::rook});
  position.put(Square(2, 2), {Color::white, PieceKind::bishop});
  position.put(Square(8, 8), {Color::black, PieceKind::bishop});
  position.put(Square(2, 8), {Color::black, PieceKind::rook});
  return position;
}

std::optional<Piece> Position::at(Square square) const {
  const std::uint8_t code = board_[index_of(square)];
  if (code == 0) {
    return std::nullopt;
  }
  return Piece{static_cast<Color>(code / 16), static_cast<PieceKind>(code % 16 - 1)};
}

int Position::hand(Color color, PieceKind kind) const {
  KAKEHASHI_CHECK(can_be_in_hand(kind), "only pawn to rook are held in hand");
  return hands_[index_of(color)][index_of(kind)];
}

std::optional<Square> Position::king(Color color) const {
  const std::int8_t index = king_index_[index_of(color)];
  if (index < 0) {
    return std::nullopt;
  }
  return Square::from_index(index);
}

void Position::put(Square square, Piece piece) {
  clear(square);
  const std::uint8_t code = code_of(piece);
  board_[index_of(square)] = code;
  key_ ^= square_key(index_of(square), code);
  if (piece.kind == PieceKind::king) {
    king_index_[index_of(piece.color)] = static_cast<std::int8_t>(square.index());
  }
}

void Position::clear(Square square) {
  const std::uint8_t code = board_[index_of(square)];
  board_[index_of(square)] = 0;
  key_ ^= square_key(index_of(square), code);
  for (std::int8_t& king : king_index_) {
    if (king == square.index()) {
      king = -1;
    }
  }
}

void Position::set_hand(Color color, PieceKind kind, int count) {
  KAKEHASHI_CHECK(can_be_in_hand(kind), "only pawn to rook are held in hand");
  KAKEHASHI_CHECK(count >= 0 && count <= hand_max, "a hand holds 0 to 18 of a kind");
  std::uint8_t& held = hands_[index_of(color)][index_of(kind)];
  key_ ^= hand_key(index_of(color), index_of(kind), held) ^ hand_key(index_of(color), index_of(kind), count);
  held = static_cast<std::uint8_t>(count);
}

bool Position::can_play(const Move& move) const {
  const std::optional<Piece> captured = at(move.to());
  if (move.is_drop()) {
    return !captured && hand(side_to_move_, move.dropped()) > 0;
  }
  const std::optional<Piece> piece = at(move.from());
  return piece && piece->color == side_to_move_ && !(captured && captured->color == side_to_move_) &&
         (!move.promotes() || promoted(piece->kind));
}

void Position::play(const Move& move) {
  const Color mover = side_to_move_;
  const std::optional<Piece> captured = at(move.to());
  KAKEHASHI_CHECK(!captured || captured->color != mover, "a move does not capture an own piece");

  if (move.is_drop()) {
    KAKEHASHI_CHECK(!captured, "a piece is dropped on an empty square");
    const int held = hand(mover, move.dropped());
    KAKEHASHI_CHECK(held > 0, "the dropped piece is in hand");
    set_hand(mover, move.dropped(), held - 1);
    put(move.to(), {mover, move.dropped()});
  } else {
    const std::optional<Piece> piece = at(move.from());
    KAKEHASHI_CHECK(piece && piece->color == mover, "an own piece stands on the source");
    const std::optional<PieceKind> kind = move.promotes() ? promoted(piece->kind) : piece->kind;
    KAKEHASHI_CHECK(kind.has_value(), "only a piece with a promoted form promotes");
    // A captured king, possible only after foul play, leaves the game.
    if (captured && captured->kind != PieceKind::king) {
      const PieceKind taken = unpromoted(captured->kind);
      // A position that foul play led to may have more of them than a set.
      set_hand(mover, taken, std::min(hand(mover, taken) + 1, hand_max));
    }
    clear(move.from());
    put(move.to(), {mover, *kind});
  }
  side_to_move_ = opposite(mover);
}

std::uint64_t Position::key() const {
  return side_to_move_ == Color::black ? key_ : key_ ^ turn_key;
}

bool operator==(const Position& a, const Position& b) {
  return a.side_to_move_ == b.side_to_move_ && a.board_ == b.board_ && a.hands_ == b.hands_;
}

}  // namespace kakehashi::shogi
