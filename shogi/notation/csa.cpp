#include "shogi/notation/csa.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/kif.hpp"

namespace kakehashi::shogi::csa {

// --- squares, moves, positions

namespace {

using base::fail;
using base::say;

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

char digit(int number) { return static_cast<char>('0' + number); }

}  // namespace

const char* piece_code(PieceKind kind) { return codes[static_cast<std::size_t>(kind)]; }

std::optional<PieceKind> piece_from_code(std::string_view code) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (code.size() == 2 && code[0] == codes[i][0] && code[1] == codes[i][1]) {
      return static_cast<PieceKind>(i);
    }
  }
  return std::nullopt;
}

base::Result<Move> parse_move(const Position& position, std::string_view text) {
  if (text.size() != 7) {
    return fail(say("a move has seven characters, as in +7776FU"));
  }
  if (text[0] != '+' && text[0] != '-') {
    return fail(say("a move begins with '+' or '-'"), 0);
  }
  if (text[0] != sign(position.side_to_move())) {
    return fail(say("it is the other side's turn"), 0);
  }
  const std::optional<Square> to = square_of(text.substr(3, 2));
  if (!to) {
    return fail(say("the target is no square"), 3);
  }
  const std::optional<PieceKind> kind = piece_from_code(text.substr(5, 2));
  if (!kind) {
    return fail(say("unknown piece"), 5);
  }
  if (text.substr(1, 2) == "00") {
    if (!can_be_in_hand(*kind)) {
      return fail(say("this is no piece that can be dropped"), 5);
    }
    return Move::drop(*kind, *to);
  }
  const std::optional<Square> from = square_of(text.substr(1, 2));
  if (!from) {
    return fail(say("the source is no square"), 1);
  }
  const std::optional<Piece> piece = position.at(*from);
  if (!piece || piece->color != position.side_to_move()) {
    return fail(say("no piece of the side to move stands on the source"), 1);
  }
  if (piece->kind == *kind) {
    return Move::board(*from, *to, false);
  }
  if (promoted(piece->kind) == *kind) {
    return Move::board(*from, *to, true);
  }
  return fail(say("another piece stands on the source"), 5);
}

std::string format_move(const Position& position, const Move& move) {
  const auto text = [&](char file, char rank, const char* code) {
    return std::string{sign(position.side_to_move()), file, rank, digit(move.to().file()), digit(move.to().rank()), code[0], code[1]};
  };
  if (move.is_drop()) {
    return text('0', '0', piece_code(move.dropped()));
  }
  const std::optional<Piece> piece = position.at(move.from());
  KAKEHASHI_CHECK(piece.has_value(), "a piece stands on the source of a move that is written");
  const std::optional<PieceKind> kind = move.promotes() ? promoted(piece->kind) : piece->kind;
  KAKEHASHI_CHECK(kind.has_value(), "a piece that is written as promoting can promote");
  return text(digit(move.from().file()), digit(move.from().rank()), piece_code(*kind));
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

// --- boards

namespace {

using base::ParseError;

constexpr std::size_t cell_bytes = 3;
constexpr std::size_t rank_bytes = 2 + 9 * cell_bytes;
constexpr std::size_t group_bytes = 4;  // file, rank, two letters

std::optional<Color> color_of(char sign) {
  return sign == '+' ? std::optional(Color::black) : sign == '-' ? std::optional(Color::white) : std::nullopt;
}

ParseError incomplete_group(std::size_t column) {
  return {say("a piece is written with four characters, as in 55KA"), column};
}

}  // namespace

std::optional<ParseError> BoardReader::feed(std::string_view line) {
  line = base::trim(line);
  if (line.size() < 2 || line[0] != 'P') {
    return ParseError{say("a board line begins with PI, P1 to P9, P+ or P-"), 0};
  }
  if (line[1] == 'I') {
    return feed_start(line);
  }
  if (line[1] >= '1' && line[1] <= '9') {
    return feed_rank(line, line[1] - '0');
  }
  if (const std::optional<Color> color = color_of(line[1])) {
    return feed_pieces(line, *color);
  }
  return ParseError{say("a board line begins with PI, P1 to P9, P+ or P-"), 1};
}

std::optional<ParseError> BoardReader::feed_start(std::string_view line) {
  if (seen_start_ || seen_pieces_ || seen_ranks_ != std::array<bool, 9>{}) {
    return ParseError{say("PI stands before all other board lines, once"), 0};
  }
  seen_start_ = true;
  position_ = Position::startpos();
  for (std::size_t at = 2; at < line.size(); at += group_bytes) {
    const std::string_view group = line.substr(at, group_bytes);
    if (group.size() < group_bytes) {
      return incomplete_group(at);
    }
    const std::optional<Square> square = square_of(group);
    if (!square) {
      return ParseError{say("this is no square"), at};
    }
    const std::optional<PieceKind> kind = piece_from_code(group.substr(2));
    const std::optional<Piece> piece = position_.at(*square);
    if (!kind || !piece || piece->kind != *kind) {
      return ParseError{say("the piece to leave out does not stand there"), at};
    }
    position_.clear(*square);
  }
  return std::nullopt;
}

std::optional<ParseError> BoardReader::feed_rank(std::string_view line, int rank) {
  bool& seen = seen_ranks_[static_cast<std::size_t>(rank - 1)];
  if (seen_start_ || seen) {
    return ParseError{say("this rank is given twice"), 0};
  }
  seen = true;
  std::string padded(line);
  // Only the last blank of an empty cell can have been stripped from the end.
  if (padded.size() + 1 == rank_bytes) {
    padded += ' ';
  }
  if (padded.size() != rank_bytes) {
    return ParseError{say("a rank has nine squares of three characters"), line.size()};
  }
  for (int file = 9; file >= 1; --file) {
    const std::size_t at = 2 + static_cast<std::size_t>(9 - file) * cell_bytes;
    const std::string_view cell = std::string_view(padded).substr(at, cell_bytes);
    if (cell == " * ") {
      continue;
    }
    const std::optional<Color> color = color_of(cell[0]);
    const std::optional<PieceKind> kind = piece_from_code(cell.substr(1));
    if (!color || !kind) {
      return ParseError{say("unknown piece"), at};
    }
    if (auto error = place(Square(file, rank), {*color, *kind}, at)) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<ParseError> BoardReader::feed_pieces(std::string_view line, Color color) {
  for (std::size_t at = 2; at < line.size(); at += group_bytes) {
    const std::string_view group = line.substr(at, group_bytes);
    if (group.size() < group_bytes) {
      return incomplete_group(at);
    }
    seen_pieces_ = true;
    if (group == "00AL") {
      hold_all_remaining(color);
      continue;
    }
    const std::optional<PieceKind> kind = piece_from_code(group.substr(2));
    if (!kind) {
      return ParseError{say("unknown piece"), at + 2};
    }
    if (group.starts_with("00")) {
      if (auto error = hold(color, *kind, at)) {
        return error;
      }
      continue;
    }
    const std::optional<Square> square = square_of(group);
    if (!square) {
      return ParseError{say("this is no square"), at};
    }
    if (auto error = place(*square, {color, *kind}, at)) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<ParseError> BoardReader::place(Square square, Piece piece, std::size_t column) {
  if (position_.at(square)) {
    return ParseError{say("two pieces on one square"), column};
  }
  if (pieces_used(position_, piece.kind) >= pieces_in_set(piece.kind)) {
    return ParseError{say("more pieces of this kind than a set has"), column};
  }
  position_.put(square, piece);
  return std::nullopt;
}

std::optional<ParseError> BoardReader::hold(Color color, PieceKind kind, std::size_t column) {
  if (!can_be_in_hand(kind)) {
    return ParseError{say("this is no piece that can be held in hand"), column};
  }
  if (pieces_used(position_, kind) >= pieces_in_set(kind)) {
    return ParseError{say("more pieces of this kind than a set has"), column};
  }
  position_.set_hand(color, kind, position_.hand(color, kind) + 1);
  return std::nullopt;
}

void BoardReader::hold_all_remaining(Color color) {
  for (int i = 0; i < hand_kind_count; ++i) {
    const auto kind = static_cast<PieceKind>(i);
    const int remaining = pieces_in_set(kind) - pieces_used(position_, kind);
    position_.set_hand(color, kind, position_.hand(color, kind) + remaining);
  }
}

base::Result<Position> BoardReader::finish() const {
  const auto ranks = std::count(seen_ranks_.begin(), seen_ranks_.end(), true);
  if (!seen_start_ && !seen_pieces_ && ranks == 0) {
    return base::fail(say("no line of a board was given"));
  }
  if (ranks != 0 && ranks != 9) {
    return base::fail(say("some of the ranks P1 to P9 are missing"));
  }
  if (const auto reason = impossible_because(position_)) {
    return base::fail(*reason);
  }
  return position_;
}

// --- customary starts

std::optional<Position> handicap_start(std::string_view name) {
  const auto found = std::ranges::find(kif::handicaps, name, &kif::Handicap::server);
  return name.empty() || found == kif::handicaps.end() ? std::nullopt : std::optional(kif::start_of(*found, Color::black));
}

}  // namespace kakehashi::shogi::csa
