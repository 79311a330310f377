#include "shogi/notation/kif.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "shogi/attack.hpp"
#include "shogi/legality.hpp"

namespace kakehashi::shogi::kif {

// --- words

namespace {

/// In moves.
constexpr std::array<const char*, piece_kind_count> names{
    "歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
/// In diagrams: always one character.
constexpr std::array<const char*, piece_kind_count> letters{
    "歩", "香", "桂", "銀", "金", "角", "飛", "玉", "と", "杏", "圭", "全", "馬", "龍"};

constexpr std::array<const char*, 18> counts{"一",   "二",   "三",   "四",   "五",   "六",
                                             "七",   "八",   "九",   "十",   "十一", "十二",
                                             "十三", "十四", "十五", "十六", "十七", "十八"};
constexpr std::array<const char*, 9> wide_digits{"１", "２", "３", "４", "５", "６", "７", "８", "９"};

}  // namespace

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) {
    return false;
  }
  text.remove_prefix(word.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  while (take_word(text, " ") || take_word(text, "　") || take_word(text, "\t")) {
  }
}

namespace {

/// "７", "7" or "七": 1 to 9.
std::optional<int> take_digit(std::string_view& text) {
  if (!text.empty() && text.front() >= '1' && text.front() <= '9') {
    const int digit = text.front() - '0';
    text.remove_prefix(1);
    return digit;
  }
  for (std::size_t i = 0; i < wide_digits.size(); ++i) {
    if (take_word(text, wide_digits[i]) || take_word(text, counts[i])) {
      return static_cast<int>(i) + 1;
    }
  }
  return std::nullopt;
}

/// "二", "十八": 1 to 18.
std::optional<int> take_count(std::string_view& text) {
  for (std::size_t i = counts.size(); i > 0; --i) {  // "十八" before "十"
    if (take_word(text, counts[i - 1])) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

/// "成銀", "全", "龍", "竜", "王" …
std::optional<PieceKind> take_piece(std::string_view& text) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (take_word(text, names[i]) || take_word(text, letters[i])) {
      return static_cast<PieceKind>(i);
    }
  }
  return take_word(text, "王")   ? std::optional(PieceKind::king)
         : take_word(text, "竜") ? std::optional(PieceKind::dragon)
                                 : std::nullopt;
}

/// "同　" gives the last target, "７六" a square. Nothing when it is neither.
std::optional<Square> take_target(std::string_view& text, std::optional<Square> last) {
  if (take_word(text, "同")) {
    skip_blanks(text);
    return last;
  }
  std::string_view rest = text;
  const auto file = take_digit(rest);
  const auto rank = file ? take_digit(rest) : std::nullopt;
  if (!rank) {
    return std::nullopt;
  }
  text = rest;
  return Square(*file, *rank);
}

void skip_marks(std::string_view& text) {
  for (const std::string_view mark : triangles) {
    (void)take_word(text, mark);
  }
}

}  // namespace

const char* piece_name(PieceKind kind) { return names[static_cast<std::size_t>(kind)]; }

const char* piece_letter(PieceKind kind) { return letters[static_cast<std::size_t>(kind)]; }

const char* count_word(int count) { return counts.at(static_cast<std::size_t>(count - 1)); }

// --- customary starts

Position start_of(const Handicap& handicap, Color giver) {
  Position position = Position::startpos();
  for (std::size_t i = 0; i < handicap.without.size(); i += 2) {
    const Square square(handicap.without[i] - '0', handicap.without[i + 1] - '0');
    position.clear(giver == Color::white ? square : Square(10 - square.file(), 10 - square.rank()));
  }
  position.set_side_to_move(handicap.without.empty() ? Color::black : giver);
  return position;
}

const Handicap* handicap_of(const Position& position) {
  const auto found = std::ranges::find_if(handicaps, [&](const Handicap& one) { return start_of(one) == position; });
  return found == handicaps.end() ? nullptr : &*found;
}

std::optional<Position> handicap_position(std::string_view name) {
  std::string plain;
  for (skip_blanks(name); !name.empty(); skip_blanks(name)) {
    plain += name.front();
    name.remove_prefix(1);
  }
  const auto found = std::ranges::find(handicaps, plain, &Handicap::name);
  return found == handicaps.end() ? std::nullopt : std::optional(start_of(*found));
}

// --- moves and diagrams of KIF

namespace {

using base::fail;
using base::ParseError;
using base::Result;
using base::say;

constexpr std::array hand_order{PieceKind::rook,   PieceKind::bishop, PieceKind::gold,
                                PieceKind::silver, PieceKind::knight, PieceKind::lance,
                                PieceKind::pawn};
constexpr const char* edge = "+---------------------------+\n";

/// "７六"
std::string square_name(Square square) {
  return std::string(wide_digits[static_cast<std::size_t>(square.file() - 1)]) + count_word(square.rank());
}

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

struct Begun {
  Square to;
  PieceKind kind;
};

/// What KIF and KI2 begin a move with: whose it is, the target, the piece.
Result<Begun> take_begin(std::string_view& text, std::optional<Square> last) {
  const std::string_view whole = text;
  skip_blanks(text);
  skip_marks(text);
  skip_blanks(text);
  const auto wrong = [&](base::Message why) { return fail(std::move(why), whole.size() - text.size()); };
  if (text.starts_with("同") && !last) {
    return wrong(say("同 repeats a target, and no move came before"));
  }
  const auto to = take_target(text, last);
  if (!to) {
    return wrong(say("the target is no square"));
  }
  const auto kind = take_piece(text);
  return kind ? Result<Begun>(Begun{*to, *kind}) : wrong(say("unknown piece"));
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

/// "(00)": of drops, from no square.
bool take_no_source(std::string_view& text) { return take_word(text, "(00)"); }

/// One cell of a diagram: nothing there, or a piece. Fails on anything else.
Result<std::optional<Piece>> take_cell(std::string_view& text) {
  const std::string_view all = text;
  const bool is_white = take_word(text, "v") || take_word(text, "V");
  if (!is_white && !take_word(text, " ") && !take_word(text, "^") && !take_word(text, "+")) {
    return fail(say("a square of the board begins with neither a space nor v: {}", base::quoted(all.substr(0, 12))));
  }
  if (take_word(text, "・") || take_word(text, "･") || take_word(text, "　")) {
    return std::optional<Piece>();
  }
  const auto kind = take_piece(text);
  if (!kind) {
    return fail(say("no piece is written {}", base::quoted(text.substr(0, 3))));
  }
  return std::optional(Piece{is_white ? Color::white : Color::black, *kind});
}

}  // namespace

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
  const auto begun = take_begin(text, last);
  if (!begun) {
    return base::Failure<ParseError>{begun.error()};
  }
  const auto& [to, kind] = *begun;
  const bool keeps = take_word(text, "不成");
  const bool promotes = !keeps && take_word(text, "成");
  const bool is_drop = take_word(text, "打");
  if (take_no_source(text) || is_drop) {
    skip_blanks(text);
    if (!can_be_in_hand(kind) || promotes || keeps || !text.empty()) {
      return fail(say("this is no piece that can be dropped"), column());
    }
    return Move::drop(kind, to);
  }
  const auto from = take_source(text);
  skip_blanks(text);
  if (!from || !text.empty()) {
    return fail(say("the source is missing"), column());
  }
  const std::optional<Piece> piece = position.at(*from);
  if (!piece || piece->color != position.side_to_move()) {
    return fail(say("no piece of the side to move stands on the source"), column());
  }
  if (piece->kind != kind) {
    return fail(say("another piece stands on the source"), column());
  }
  return Move::board(*from, to, promotes);
}

bool begins_as_move(std::string_view text) {
  skip_blanks(text);
  skip_marks(text);
  return text.starts_with("同") || take_target(text, std::nullopt).has_value();
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
    return ParseError{say("a rank of the board begins with |"), 0};
  }
  if (ranks_ == 9) {
    return ParseError{say("the board has more than nine ranks"), 0};
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
                              : std::optional(ParseError{say("a rank of the board has nine squares"), 0});
}

std::optional<ParseError> BoardReader::feed_hand(Color color, std::string_view text) {
  for (skip_blanks(text); !text.empty() && !take_word(text, "なし"); skip_blanks(text)) {
    const std::string_view word = text;
    const auto kind = take_piece(text);
    if (!kind || !can_be_in_hand(*kind)) {
      return ParseError{say("no piece in hand is written {}", base::quoted(word.substr(0, 12))), 0};
    }
    const int count = take_count(text).value_or(1) + position_.hand(color, *kind);
    if (count > pieces_in_set(*kind)) {
      return ParseError{say("too many in hand: {}", std::string(piece_letter(*kind))), 0};
    }
    position_.set_hand(color, *kind, count);
  }
  return std::nullopt;
}

Result<Position> BoardReader::finish() const {
  if (ranks_ < 9) {
    return fail(say("the board has {} of its nine ranks", ranks_));
  }
  if (auto why = impossible_because(position_)) {
    return fail(std::move(*why));
  }
  return position_;
}

}  // namespace kakehashi::shogi::kif

// --- moves of KI2

namespace kakehashi::shogi::ki2 {

namespace {

using base::fail;
using base::Result;
using base::say;
using shogi::kif::take_word;

struct Word {
  std::string_view word;
  char letter;
};
constexpr std::array side_words{Word{"左", 'L'}, Word{"直", 'C'}, Word{"右", 'R'}};
constexpr std::array motion_words{Word{"上", 'U'}, Word{"寄", 'M'}, Word{"引", 'D'},
                                  Word{"行", 'U'}, Word{"入", 'U'}};

/// As its side sees it: where the piece comes from, and how it goes.
char side_of(Color color, Square from, Square to) {
  const int step = (to.file() - from.file()) * (color == Color::black ? 1 : -1);
  return step > 0 ? 'R' : step < 0 ? 'L' : 'C';
}
char motion_of(Color color, Square from, Square to) {
  const int step = (from.rank() - to.rank()) * (color == Color::black ? 1 : -1);
  return step > 0 ? 'U' : step < 0 ? 'D' : 'M';
}

/// Where pieces like this one stand that reach the target, pins aside.
std::vector<Square> sources(const Position& position, Piece piece, Square to) {
  std::vector<Square> found;
  const std::optional<Piece> taken = position.at(to);
  if (taken && taken->color == piece.color) {
    return found;
  }
  for (int i = 0; i < Square::count; ++i) {
    const Square from = Square::from_index(i);
    if (position.at(from) == piece && reaches(position, piece, from, to)) {
      found.push_back(from);
    }
  }
  return found;
}

/// Horses and dragons are never 直: of two of them one is left, the other right.
bool has_no_straight(PieceKind kind) {
  return kind == PieceKind::horse || kind == PieceKind::dragon;
}

std::optional<char> take_letter(std::string_view& text, const auto& words) {
  for (const Word& entry : words) {
    if (take_word(text, entry.word)) {
      return entry.letter;
    }
  }
  return std::nullopt;
}

struct Manner {
  std::optional<char> side;
  std::optional<char> motion;
};

void keep_told(std::vector<Square>& from, Manner manner, Piece piece, Square to) {
  const auto drop_if = [&](auto is_other) {
    from.erase(std::remove_if(from.begin(), from.end(), is_other), from.end());
  };
  if (manner.motion) {
    drop_if([&](Square at) { return motion_of(piece.color, at, to) != *manner.motion; });
  }
  if (!manner.side) {
    return;
  }
  if (has_no_straight(piece.kind) && *manner.side != 'C') {
    // Not on which side of the target it stands, but of the other piece.
    const int sign = (piece.color == Color::black ? 1 : -1) * (*manner.side == 'L' ? 1 : -1);
    int farthest = -10;
    for (const Square at : from) {
      farthest = std::max(farthest, at.file() * sign);
    }
    drop_if([&](Square at) { return at.file() * sign != farthest; });
    return;
  }
  drop_if([&](Square at) {
    return side_of(piece.color, at, to) != *manner.side ||
           (*manner.side == 'C' && motion_of(piece.color, at, to) != 'U');
  });
}

}  // namespace

std::string relative(const Position& position, const Move& move) {
  const Color color = position.side_to_move();
  const Square to = move.to();
  if (move.is_drop()) {
    return sources(position, {color, move.dropped()}, to).empty() ? "" : "H";
  }
  const std::optional<Piece> piece = position.at(move.from());
  KAKEHASHI_CHECK(piece.has_value(), "a piece stands on the source of a move that is written");
  std::vector<Square> others = sources(position, *piece, to);
  others.erase(std::remove(others.begin(), others.end(), move.from()), others.end());
  if (others.empty()) {
    return "";
  }
  const char side = side_of(color, move.from(), to);
  const char motion = motion_of(color, move.from(), to);
  const bool motion_tells = std::none_of(others.begin(), others.end(), [&](Square other) {
    return motion_of(color, other, to) == motion;
  });
  if (motion_tells) {
    return std::string(1, motion);
  }
  const bool side_tells = std::none_of(others.begin(), others.end(), [&](Square other) {
    return side_of(color, other, to) == side;
  });
  if (side_tells && side == 'C' && has_no_straight(piece->kind)) {
    return side_of(color, others.front(), to) == 'L' ? "R" : "L";
  }
  if (side_tells || side == 'C') {
    return std::string(1, side);
  }
  return std::string(1, side) + motion;
}

std::string format_move(const Position& position, const Move& move, std::optional<Square> last) {
  const Color color = position.side_to_move();
  std::string text = color == Color::black ? "▲" : "△";
  text += last == move.to() ? "同　" : kif::square_name(move.to());
  const PieceKind kind = move.is_drop() ? move.dropped() : position.at(move.from())->kind;
  text += shogi::kif::piece_name(kind);
  const std::string letters = relative(position, move);
  for (const char letter : letters) {
    for (const Word& entry : side_words) {
      text += entry.letter == letter ? entry.word : "";
    }
    const auto motion = std::find_if(motion_words.begin(), motion_words.end(),
                                     [&](const Word& entry) { return entry.letter == letter; });
    text += motion != motion_words.end() ? motion->word : "";
  }
  if (move.is_drop()) {
    return text + (letters.empty() ? "" : "打");
  }
  const bool may_promote = promoted(kind) && (relative_rank(move.from(), color) <= 3 ||
                                              relative_rank(move.to(), color) <= 3);
  return text + (move.promotes() ? "成" : may_promote ? "不成" : "");
}

std::vector<std::string> format_line(Position position, const std::vector<Move>& line, std::optional<Square> last) {
  std::vector<std::string> words;
  for (const Move& move : line) {
    words.push_back(format_move(position, move, last));
    position.play(move);
    last = move.to();
  }
  return words;
}

Result<Move> parse_move(const Position& position, std::string_view text,
                        std::optional<Square> last) {
  const std::string_view whole = text;
  const auto column = [&] { return whole.size() - text.size(); };
  const auto begun = kif::take_begin(text, last);
  if (!begun) {
    return base::Failure<base::ParseError>{begun.error()};
  }
  const Square to = begun->to;
  const PieceKind kind = begun->kind;
  const Piece piece{position.side_to_move(), kind};
  const Manner manner{take_letter(text, side_words), take_letter(text, motion_words)};
  const bool keeps = take_word(text, "不成");
  const bool promotes = !keeps && take_word(text, "成");
  const bool says_drop = take_word(text, "打");
  const auto source = kif::take_source(text);  // of older files
  const bool is_drop = kif::take_no_source(text) || says_drop;
  shogi::kif::skip_blanks(text);
  if (!text.empty()) {
    return fail(say("unknown words follow the move"), column());
  }
  std::vector<Square> from = sources(position, piece, to);
  keep_told(from, manner, piece, to);
  if (source) {
    from = {*source};
  }
  if (from.size() > 1) {
    from.erase(std::remove_if(from.begin(), from.end(),
                              [&](Square at) {
                                return !is_legal(position, Move::board(at, to, promotes));
                              }),
               from.end());
  }
  if (is_drop || (from.empty() && !manner.side && !manner.motion && !promotes && !keeps)) {
    if (!can_be_in_hand(kind) || position.hand(piece.color, kind) == 0) {
      return fail(is_drop ? say("no such piece is in hand") : say("no such piece reaches the target"));
    }
    return Move::drop(kind, to);
  }
  if (from.empty()) {
    return fail(say("no such piece reaches the target"));
  }
  if (from.size() > 1) {
    return fail(say("several such pieces reach the target"));
  }
  if (position.at(from.front()) != piece) {
    return fail(say("another piece stands on the source"));
  }
  return Move::board(from.front(), to, promotes);
}

}  // namespace kakehashi::shogi::ki2
