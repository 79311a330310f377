#include "shogi/notation/ki2.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "shogi/attack.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/kif.hpp"
#include "shogi/notation/kif_words.hpp"

namespace kakehashi::shogi::ki2 {

namespace {

using base::fail;
using base::Result;
using kif::take_word;

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

/// "(77)" of older files.
std::optional<Square> take_source(std::string_view& text) {
  std::string_view rest = text;
  if (!take_word(rest, "(")) {
    return std::nullopt;
  }
  const auto file = kif::take_digit(rest);
  const auto rank = file ? kif::take_digit(rest) : std::nullopt;
  if (!rank || !take_word(rest, ")")) {
    return std::nullopt;
  }
  text = rest;
  return Square(*file, *rank);
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
  text += kif::piece_name(kind);
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
  for (const std::string_view mark : {"▲", "△", "▼", "▽", "☗", "☖"}) {
    (void)take_word(text, mark);
  }
  kif::skip_blanks(text);
  if (text.starts_with("同") && !last) {
    return fail("同 repeats a target, and no move came before", column());
  }
  const auto to = kif::take_target(text, last);
  if (!to) {
    return fail("the target is no square", column());
  }
  const auto kind = kif::take_piece(text);
  if (!kind) {
    return fail("unknown piece", column());
  }
  const Piece piece{position.side_to_move(), *kind};
  const Manner manner{take_letter(text, side_words), take_letter(text, motion_words)};
  const bool keeps = take_word(text, "不成");
  const bool promotes = !keeps && take_word(text, "成");
  const bool is_drop = take_word(text, "打");
  const auto source = take_source(text);
  kif::skip_blanks(text);
  if (!text.empty()) {
    return fail("unknown words follow the move", column());
  }
  std::vector<Square> from = sources(position, piece, *to);
  keep_told(from, manner, piece, *to);
  if (source) {
    from = {*source};
  }
  if (from.size() > 1) {
    from.erase(std::remove_if(from.begin(), from.end(),
                              [&](Square at) {
                                return !is_legal(position, Move::board(at, *to, promotes));
                              }),
               from.end());
  }
  if (is_drop || (from.empty() && !manner.side && !manner.motion && !promotes && !keeps)) {
    if (!can_be_in_hand(*kind) || position.hand(piece.color, *kind) == 0) {
      return fail(is_drop ? "no such piece is in hand" : "no such piece reaches the target");
    }
    return Move::drop(*kind, *to);
  }
  if (from.empty()) {
    return fail("no such piece reaches the target");
  }
  if (from.size() > 1) {
    return fail("several such pieces reach the target");
  }
  if (position.at(from.front()) != piece) {
    return fail("another piece stands on the source");
  }
  return Move::board(from.front(), *to, promotes);
}

}  // namespace kakehashi::shogi::ki2
