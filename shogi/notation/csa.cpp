#include "shogi/notation/csa.hpp"

#include <array>

namespace kakehashi::shogi::csa {

namespace {

using base::fail;

constexpr std::array<const char*, piece_kind_count> codes{"FU", "KY", "KE", "GI", "KI", "KA", "HI",
                                                          "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

// The order in which shogi-server prints hands: by the letters of the code.
constexpr std::array hand_order{PieceKind::pawn,   PieceKind::silver, PieceKind::rook,
                                PieceKind::bishop, PieceKind::knight, PieceKind::gold,
                                PieceKind::lance};

// Two digits, "77".
std::optional<Square> square_of(std::string_view text) {
  const int file = text[0] - '0';
  const int rank = text[1] - '0';
  if (!Square::is_on_board(file, rank)) {
    return std::nullopt;
  }
  return Square(file, rank);
}

std::string name_of(Square square) {
  return {static_cast<char>('0' + square.file()), static_cast<char>('0' + square.rank())};
}

}  // namespace

const char* piece_code(PieceKind kind) { return codes[static_cast<std::size_t>(kind)]; }

std::optional<PieceKind> piece_from_code(std::string_view code) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (code == codes[i]) {
      return static_cast<PieceKind>(i);
    }
  }
  return std::nullopt;
}

base::Result<Move> parse_move(const Position& position, std::string_view text) {
  if (text.size() != 7) {
    return fail("a move has seven characters, as in +7776FU");
  }
  if (text[0] != '+' && text[0] != '-') {
    return fail("a move begins with '+' or '-'", 0);
  }
  if (text[0] != sign(position.side_to_move())) {
    return fail("it is the other side's turn", 0);
  }
  const std::optional<Square> to = square_of(text.substr(3, 2));
  if (!to) {
    return fail("the target is no square", 3);
  }
  const std::optional<PieceKind> kind = piece_from_code(text.substr(5, 2));
  if (!kind) {
    return fail("unknown piece", 5);
  }
  if (text.substr(1, 2) == "00") {
    if (!can_be_in_hand(*kind)) {
      return fail("this is no piece that can be dropped", 5);
    }
    return Move::drop(*kind, *to);
  }
  const std::optional<Square> from = square_of(text.substr(1, 2));
  if (!from) {
    return fail("the source is no square", 1);
  }
  const std::optional<Piece> piece = position.at(*from);
  if (!piece || piece->color != position.side_to_move()) {
    return fail("no piece of the side to move stands on the source", 1);
  }
  if (piece->kind == *kind) {
    return Move::board(*from, *to, false);
  }
  if (promoted(piece->kind) == *kind) {
    return Move::board(*from, *to, true);
  }
  return fail("another piece stands on the source", 5);
}

std::string format_move(const Position& position, const Move& move) {
  const std::string begin(1, sign(position.side_to_move()));
  if (move.is_drop()) {
    return begin + "00" + name_of(move.to()) + piece_code(move.dropped());
  }
  const std::optional<Piece> piece = position.at(move.from());
  KAKEHASHI_CHECK(piece.has_value(), "a piece stands on the source of a move that is written");
  const std::optional<PieceKind> kind = move.promotes() ? promoted(piece->kind) : piece->kind;
  KAKEHASHI_CHECK(kind.has_value(), "a piece that is written as promoting can promote");
  return begin + name_of(move.from()) + name_of(move.to()) + piece_code(*kind);
}

std::string format_board(const Position& position) {
  std::string text;
  for (int rank = 1; rank <= 9; ++rank) {
    text += "P" + std::to_string(rank);
    for (int file = 9; file >= 1; --file) {
      const std::optional<Piece> piece = position.at(Square(file, rank));
      text += piece ? sign(piece->color) + std::string(piece_code(piece->kind)) : " * ";
    }
    text += '\n';
  }
  for (const Color color : {Color::black, Color::white}) {
    std::string hand;
    for (const PieceKind kind : hand_order) {
      for (int count = position.hand(color, kind); count > 0; --count) {
        hand += std::string("00") + piece_code(kind);
      }
    }
    if (!hand.empty()) {
      text += std::string("P") + sign(color) + hand + '\n';
    }
  }
  return text;
}

}  // namespace kakehashi::shogi::csa
