#include "shogi/notation/kif.hpp"

#include <array>
#include <cstddef>

#include "base/text.hpp"
#include "shogi/notation/kif_words.hpp"
#include "shogi/possible.hpp"

namespace kakehashi::shogi::kif {

namespace {

using base::fail;
using base::ParseError;
using base::Result;

constexpr std::array<const char*, piece_kind_count> names{
    "歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
constexpr std::array<const char*, piece_kind_count> letters{
    "歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::array<const char*, 9> file_words{"１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr std::array hand_order{PieceKind::rook,   PieceKind::bishop, PieceKind::gold,
                                PieceKind::silver, PieceKind::knight, PieceKind::lance,
                                PieceKind::pawn};
constexpr const char* edge = "+---------------------------+\n";

std::string hand_text(const Position& position, Color color) {
  std::string text;
  for (const PieceKind kind : hand_order) {
    const int count = position.hand(color, kind);
    if (count > 0) {
      text += piece_letter(kind);
      text += count > 1 ? count_word(count) : "";
      text += "　";
    }
  }
  return text.empty() ? "なし" : text;
}

/// "(77)"
std::optional<Square> take_source(std::string_view& text) {
  std::string_view rest = text;
  if (!take_word(rest, "(")) {
    return std::nullopt;
  }
  const auto file = take_digit(rest);
  const auto rank = file ? take_digit(rest) : std::nullopt;
  if (!rank || !take_word(rest, ")")) {
    return std::nullopt;
  }
  text = rest;
  return Square(*file, *rank);
}

/// One cell of a diagram: nothing there, or a piece. Fails on anything else.
Result<std::optional<Piece>> take_cell(std::string_view& text) {
  const std::string_view all = text;
  const bool is_white = take_word(text, "v") || take_word(text, "V");
  if (!is_white && !take_word(text, " ") && !take_word(text, "^") && !take_word(text, "+")) {
    return fail("a square of the board begins with neither a space nor v: " +
                base::quote_for_log(all.substr(0, 12)));
  }
  if (take_word(text, "・") || take_word(text, "･") || take_word(text, "　")) {
    return std::optional<Piece>();
  }
  const auto kind = take_piece(text);
  if (!kind) {
    return fail("no piece is written " + base::quote_for_log(text.substr(0, 3)));
  }
  return std::optional(Piece{is_white ? Color::white : Color::black, *kind});
}

}  // namespace

const char* piece_name(PieceKind kind) { return names[static_cast<std::size_t>(kind)]; }

const char* piece_letter(PieceKind kind) { return letters[static_cast<std::size_t>(kind)]; }

std::string square_name(Square square) {
  return std::string(file_words[static_cast<std::size_t>(square.file() - 1)]) +
         count_word(square.rank());
}

std::string format_move(const Position& position, const Move& move, std::optional<Square> last) {
  std::string text = last == move.to() ? "同　" : square_name(move.to());
  if (move.is_drop()) {
    return text + piece_name(move.dropped()) + "打";
  }
  const std::optional<Piece> piece = position.at(move.from());
  KAKEHASHI_CHECK(piece.has_value(), "a piece stands on the source of a move that is written");
  text += piece_name(piece->kind);
  text += move.promotes() ? "成" : "";
  return text + "(" + std::to_string(move.from().file()) + std::to_string(move.from().rank()) + ")";
}

Result<Move> parse_move(const Position& position, std::string_view text,
                        std::optional<Square> last) {
  const std::string_view whole = text;
  const auto column = [&] { return whole.size() - text.size(); };
  skip_blanks(text);
  for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
    (void)take_word(text, mark);
  }
  if (text.starts_with("同") && !last) {
    return fail("同 repeats a target, and no move came before", column());
  }
  const auto to = take_target(text, last);
  if (!to) {
    return fail("the target is no square", column());
  }
  const auto kind = take_piece(text);
  if (!kind) {
    return fail("unknown piece", column());
  }
  const bool keeps = take_word(text, "不成");
  const bool promotes = !keeps && take_word(text, "成");
  if (take_word(text, "打")) {
    skip_blanks(text);
    if (!can_be_in_hand(*kind) || promotes || keeps || !text.empty()) {
      return fail("this is no piece that can be dropped", column());
    }
    return Move::drop(*kind, *to);
  }
  const auto from = take_source(text);
  skip_blanks(text);
  if (!from || !text.empty()) {
    return fail("the source is missing", column());
  }
  const std::optional<Piece> piece = position.at(*from);
  if (!piece || piece->color != position.side_to_move()) {
    return fail("no piece of the side to move stands on the source", column());
  }
  if (piece->kind != *kind) {
    return fail("another piece stands on the source", column());
  }
  return Move::board(*from, *to, promotes);
}

std::string format_board(const Position& position) {
  std::string text = "後手の持駒：" + hand_text(position, Color::white) + "\n";
  text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n";
  text += edge;
  for (int rank = 1; rank <= 9; ++rank) {
    text += "|";
    for (int file = 9; file >= 1; --file) {
      const std::optional<Piece> piece = position.at(Square(file, rank));
      text += piece && piece->color == Color::white ? "v" : " ";
      text += piece ? piece_letter(piece->kind) : "・";
    }
    text += std::string("|") + count_word(rank) + "\n";
  }
  text += edge;
  text += "先手の持駒：" + hand_text(position, Color::black) + "\n";
  text += position.side_to_move() == Color::black ? "先手番\n" : "後手番\n";
  return text;
}

std::optional<ParseError> BoardReader::feed_rank(std::string_view line) {
  if (!take_word(line, "|")) {
    return ParseError{"a rank of the board begins with |", 0};
  }
  if (ranks_ == 9) {
    return ParseError{"the board has more than nine ranks", 0};
  }
  ++ranks_;
  for (int file = 9; file >= 1; --file) {
    const auto cell = take_cell(line);
    if (!cell) {
      return cell.error();
    }
    if (*cell) {
      position_.put(Square(file, ranks_), **cell);
    }
  }
  return take_word(line, "|") ? std::nullopt
                              : std::optional(ParseError{"a rank of the board has nine squares", 0});
}

std::optional<ParseError> BoardReader::feed_hand(Color color, std::string_view text) {
  for (skip_blanks(text); !text.empty() && !take_word(text, "なし"); skip_blanks(text)) {
    const std::string_view word = text;
    const auto kind = take_piece(text);
    if (!kind || !can_be_in_hand(*kind)) {
      return ParseError{"no piece in hand is written " + base::quote_for_log(word.substr(0, 12)), 0};
    }
    const int count = take_count(text).value_or(1) + position_.hand(color, *kind);
    if (count > pieces_in_set(*kind)) {
      return ParseError{std::string("too many in hand: ") + piece_letter(*kind), 0};
    }
    position_.set_hand(color, *kind, count);
  }
  return std::nullopt;
}

Result<Position> BoardReader::finish() const {
  if (ranks_ < 9) {
    return fail("the board has " + std::to_string(ranks_) + " of its nine ranks");
  }
  if (auto why = impossible_because(position_)) {
    return fail(std::move(*why));
  }
  return position_;
}

}  // namespace kakehashi::shogi::kif
