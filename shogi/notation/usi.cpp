#include "shogi/notation/usi.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "shogi/legality.hpp"

namespace kakehashi::shogi::usi {

namespace {

using base::fail;
using base::say;
using base::Failure;
using base::ParseError;

constexpr std::string_view letters = "PLNSGBRK";
// Rook first: the order in which SFEN writes hands.
constexpr PieceKind hand_order[] = {PieceKind::rook,   PieceKind::bishop, PieceKind::gold,
                                    PieceKind::silver, PieceKind::knight, PieceKind::lance,
                                    PieceKind::pawn};

char letter_of(PieceKind kind, Color color) {
  const char upper = letters[static_cast<std::size_t>(unpromoted(kind))];
  return color == Color::black ? upper : static_cast<char>(upper - 'A' + 'a');
}

// The unpromoted piece that a letter stands for; upper case is black.
std::optional<Piece> piece_of(char letter) {
  const bool is_white = letter >= 'a' && letter <= 'z';
  const char upper = is_white ? static_cast<char>(letter - 'a' + 'A') : letter;
  const std::size_t found = letters.find(upper);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  return Piece{is_white ? Color::white : Color::black, static_cast<PieceKind>(found)};
}

// Two characters, "7g".
std::optional<Square> square_of(std::string_view text) {
  const int file = text[0] - '0';
  const int rank = text[1] - 'a' + 1;
  if (!Square::is_on_board(file, rank)) {
    return std::nullopt;
  }
  return Square(file, rank);
}

char file_of(Square square) { return static_cast<char>('0' + square.file()); }
char rank_of(Square square) { return static_cast<char>('a' + square.rank() - 1); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Fills one rank from "lnsgkgsnl" or "1r5b1"; `column` is where the rank begins in the whole text.
std::optional<ParseError> read_rank(Position& position, int rank, std::string_view text,
                                    std::size_t column) {
  int file = 9;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      if (text[i] == '0' || (i > 0 && is_digit(text[i - 1]))) {
        return ParseError{say("empty squares are counted by one digit from 1 to 9"), column + i};
      }
      file -= text[i] - '0';
      if (file < 0) {
        return ParseError{say("the rank has more than nine squares"), column + i};
      }
      continue;
    }
    const std::size_t at = i;
    const bool promotes = text[i] == '+';
    if (promotes) {
      ++i;
    }
    std::optional<Piece> piece = i < text.size() ? piece_of(text[i]) : std::nullopt;
    if (!piece) {
      return ParseError{say("unknown piece"), column + at};
    }
    if (promotes) {
      const std::optional<PieceKind> kind = promoted(piece->kind);
      if (!kind) {
        return ParseError{say("this piece has no promoted form"), column + at};
      }
      piece->kind = *kind;
    }
    if (file < 1) {
      return ParseError{say("the rank has more than nine squares"), column + at};
    }
    position.put(Square(file, rank), *piece);
    --file;
  }
  if (file != 0) {
    return ParseError{say("the rank has fewer than nine squares"), column + text.size()};
  }
  return std::nullopt;
}

std::optional<ParseError> read_board(Position& position, std::string_view text) {
  const std::vector<std::string_view> ranks = base::split(text, '/');
  if (ranks.size() != 9) {
    return ParseError{say("a board has nine ranks separated by '/'"), 0};
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto column = static_cast<std::size_t>(ranks[i].data() - text.data());
    if (auto error = read_rank(position, static_cast<int>(i) + 1, ranks[i], column)) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<ParseError> read_hands(Position& position, std::string_view text,
                                     std::size_t column) {
  if (text == "-") {
    return std::nullopt;
  }
  if (text.empty()) {
    return ParseError{say("the hands are missing; '-' stands for none"), column};
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t at = i;
    while (i < text.size() && is_digit(text[i])) {
      ++i;
    }
    const std::string_view digits = text.substr(at, i - at);
    const std::optional<Piece> piece = i < text.size() ? piece_of(text[i]) : std::nullopt;
    if (!piece || !can_be_in_hand(piece->kind)) {
      return ParseError{say("no piece that can be held in hand"), column + i};
    }
    // Two digits at most, so the number cannot overflow.
    const std::int64_t count =
        digits.empty() ? 1 : digits.size() > 2 ? 0 : base::parse_int(digits).value_or(0);
    if (count < 1 || count > pieces_in_set(piece->kind) || digits.starts_with('0')) {
      return ParseError{say("impossible number of pieces in hand"), column + at};
    }
    if (position.hand(piece->color, piece->kind) > 0) {
      return ParseError{say("the same piece in hand is given twice"), column + at};
    }
    position.set_hand(piece->color, piece->kind, static_cast<int>(count));
  }
  return std::nullopt;
}

bool is_move_number(std::string_view text) {
  constexpr std::size_t digits_max = 6;
  return !text.empty() && text.size() <= digits_max && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

base::Result<Move> parse_move(std::string_view text) {
  if (text.size() < 4 || text.size() > 5) {
    return fail(say("a move has four or five characters"), 0);
  }
  const bool promotes = text.size() == 5;
  if (promotes && text[4] != '+') {
    return fail(say("only '+' may follow a move"), 4);
  }
  const std::optional<Square> to = square_of(text.substr(2, 2));
  if (!to) {
    return fail(say("the target is no square"), 2);
  }
  if (text[1] == '*') {
    const std::optional<Piece> piece = piece_of(text[0]);
    if (!piece || piece->color != Color::black || !can_be_in_hand(piece->kind)) {
      return fail(say("this is no piece that can be dropped"), 0);
    }
    if (promotes) {
      return fail(say("a drop does not promote"), 4);
    }
    return Move::drop(piece->kind, *to);
  }
  const std::optional<Square> from = square_of(text.substr(0, 2));
  if (!from) {
    return fail(say("the source is no square"), 0);
  }
  return Move::board(*from, *to, promotes);
}

std::string format_move(const Move& move) {
  const char file = file_of(move.to());
  const char rank = rank_of(move.to());
  if (move.is_drop()) {
    return {letter_of(move.dropped(), Color::black), '*', file, rank};
  }
  const std::array<char, 5> text{file_of(move.from()), rank_of(move.from()), file, rank, '+'};
  return {text.data(), text.size() - (move.promotes() ? 0 : 1)};
}

base::Result<Position> parse_sfen(std::string_view text) {
  const std::vector<std::string_view> fields = base::split(text, ' ');
  if (fields.size() < 3 || fields.size() > 4) {
    return fail(say("a position has board, side, hands and perhaps a move number, one space between"));
  }
  const auto column_of = [&](std::size_t field) {
    return static_cast<std::size_t>(fields[field].data() - text.data());
  };
  Position position;
  if (auto error = read_board(position, fields[0])) {
    return Failure<ParseError>{*error};
  }
  if (fields[1] != "b" && fields[1] != "w") {
    return fail(say("the side to move is 'b' or 'w'"), column_of(1));
  }
  position.set_side_to_move(fields[1] == "b" ? Color::black : Color::white);
  if (auto error = read_hands(position, fields[2], column_of(2))) {
    return Failure<ParseError>{*error};
  }
  if (fields.size() == 4 && !is_move_number(fields[3])) {
    return fail(say("the move number is a number of up to six digits"), column_of(3));
  }
  if (const auto reason = impossible_because(position)) {
    return fail(*reason);
  }
  return position;
}

std::string format_sfen(const Position& position, int move_number) {
  std::string text;
  for (int rank = 1; rank <= 9; ++rank) {
    int empty = 0;
    const auto close_gap = [&] {
      if (empty > 0) {
        text += std::to_string(empty);
        empty = 0;
      }
    };
    for (int file = 9; file >= 1; --file) {
      const std::optional<Piece> piece = position.at(Square(file, rank));
      if (!piece) {
        ++empty;
        continue;
      }
      close_gap();
      if (is_promoted(piece->kind)) {
        text += '+';
      }
      text += letter_of(piece->kind, piece->color);
    }
    close_gap();
    text += rank < 9 ? '/' : ' ';
  }
  text += position.side_to_move() == Color::black ? "b " : "w ";

  const std::size_t hands_begin = text.size();
  for (const Color color : {Color::black, Color::white}) {
    for (const PieceKind kind : hand_order) {
      const int count = position.hand(color, kind);
      if (count > 0) {
        text += (count > 1 ? std::to_string(count) : "") + letter_of(kind, color);
      }
    }
  }
  return text + (text.size() == hands_begin ? "- " : " ") + std::to_string(move_number);
}

}  // namespace kakehashi::shogi::usi
