#include "shogi/notation/kif_words.hpp"

#include <array>
#include <cstddef>

namespace kakehashi::shogi::kif {

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

}  // namespace kakehashi::shogi::kif
