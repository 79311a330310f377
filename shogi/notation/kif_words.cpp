#include "shogi/notation/kif_words.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "base/text.hpp"
#include "shogi/notation/kif.hpp"

namespace kakehashi::shogi::kif {

// --- words

namespace {

struct PieceWord {
  std::string_view word;
  PieceKind kind;
};

/// Longer words first where one begins another.
constexpr std::array piece_words{
    PieceWord{"成香", PieceKind::promoted_lance}, PieceWord{"成桂", PieceKind::promoted_knight},
    PieceWord{"成銀", PieceKind::promoted_silver}, PieceWord{"杏", PieceKind::promoted_lance},
    PieceWord{"圭", PieceKind::promoted_knight},  PieceWord{"全", PieceKind::promoted_silver},
    PieceWord{"歩", PieceKind::pawn},             PieceWord{"香", PieceKind::lance},
    PieceWord{"桂", PieceKind::knight},           PieceWord{"銀", PieceKind::silver},
    PieceWord{"金", PieceKind::gold},             PieceWord{"角", PieceKind::bishop},
    PieceWord{"飛", PieceKind::rook},             PieceWord{"玉", PieceKind::king},
    PieceWord{"王", PieceKind::king},             PieceWord{"と", PieceKind::promoted_pawn},
    PieceWord{"馬", PieceKind::horse},            PieceWord{"龍", PieceKind::dragon},
    PieceWord{"竜", PieceKind::dragon}};

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

std::optional<int> take_count(std::string_view& text) {
  for (std::size_t i = counts.size(); i > 0; --i) {  // "十八" before "十"
    if (take_word(text, counts[i - 1])) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

std::optional<PieceKind> take_piece(std::string_view& text) {
  for (const PieceWord& entry : piece_words) {
    if (take_word(text, entry.word)) {
      return entry.kind;
    }
  }
  return std::nullopt;
}

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

const char* count_word(int count) { return counts.at(static_cast<std::size_t>(count - 1)); }

// --- customary starts

namespace {

struct Handicap {
  std::string_view name;
  std::string_view without;  ///< squares of white's camp, two digits each
};

constexpr std::array handicaps{
    Handicap{"平手", ""},
    Handicap{"香落ち", "11"},
    Handicap{"右香落ち", "91"},
    Handicap{"角落ち", "22"},
    Handicap{"飛車落ち", "82"},
    Handicap{"飛香落ち", "1182"},
    Handicap{"二枚落ち", "2282"},
    Handicap{"三枚落ち", "228291"},
    Handicap{"四枚落ち", "11228291"},
    Handicap{"五枚落ち", "1122818291"},
    Handicap{"左五枚落ち", "1121228291"},
    Handicap{"六枚落ち", "112122818291"},
    Handicap{"左七枚落ち", "11212231818291"},
    Handicap{"右七枚落ち", "11212271818291"},
    Handicap{"八枚落ち", "1121223171818291"},
    Handicap{"十枚落ち", "11212231416171818291"}};

Position start_of(const Handicap& handicap) {
  Position position = Position::startpos();
  for (std::size_t i = 0; i < handicap.without.size(); i += 2) {
    position.clear(Square(handicap.without[i] - '0', handicap.without[i + 1] - '0'));
  }
  position.set_side_to_move(handicap.without.empty() ? Color::black : Color::white);
  return position;
}

}  // namespace

std::optional<std::string_view> handicap_name(const Position& position) {
  for (const Handicap& handicap : handicaps) {
    if (start_of(handicap) == position) {
      return handicap.name;
    }
  }
  return std::nullopt;
}

std::optional<Position> handicap_position(std::string_view name) {
  std::string plain;
  for (skip_blanks(name); !name.empty(); skip_blanks(name)) {
    plain += name.front();
    name.remove_prefix(1);
  }
  for (const Handicap& handicap : handicaps) {
    if (handicap.name == plain) {
      return start_of(handicap);
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi::kif
