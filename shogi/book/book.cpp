#include "shogi/book/book.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi::book {

namespace {

constexpr std::string_view position_word = "sfen ";

/// Where the third word ends: what follows is the ply.
std::size_t end_of_key(std::string_view words) {
  std::size_t end = 0;
  for (int word = 0; word < 3 && end != std::string_view::npos; ++word) {
    end = words.find(' ', word == 0 ? 0 : end + 1);
  }
  return std::min(end, words.size());
}

std::vector<double> weights(std::span<const Move> moves, Rule rule, int temperature) {
  int best = std::numeric_limits<int>::min();
  for (const Move& move : moves) {
    best = std::max(best, move.score.value_or(best));
  }
  std::vector<double> all;
  for (const Move& move : moves) {
    if (rule == Rule::by_count) {
      all.push_back(static_cast<double>(std::max<std::int64_t>(move.count.value_or(0), 0)));
    } else {
      all.push_back(move.score ? std::exp((static_cast<double>(*move.score) - best) /
                                          std::max(temperature, 1))
                               : 0.0);
    }
  }
  return all;
}

}  // namespace

std::string key_of(const Position& position) {
  const std::string sfen = shogi::usi::format_sfen(position);
  return sfen.substr(0, end_of_key(sfen));
}

std::optional<std::string_view> key_in(std::string_view line) {
  if (!line.starts_with(position_word)) {
    return std::nullopt;
  }
  line.remove_prefix(position_word.size());
  return base::trim(line.substr(0, end_of_key(line)));
}

std::int64_t ply_in(std::string_view line) {
  const auto words = base::split_words(line);
  return words.size() < 5 ? 0 : base::parse_int(words[4]).value_or(0);
}

std::vector<Move> read_moves(std::string_view text) {
  std::vector<Move> moves;
  for (const std::string_view line : base::split(text, '\n')) {
    if (key_in(line) || moves.size() == moves_max) {
      break;
    }
    const auto words = base::split(base::trim(line), ' ');
    if (!shogi::usi::parse_move(words.front())) {
      continue;  // it does not look like a move
    }
    Move move;
    move.text = words[0];
    if (const auto score = words.size() > 2 ? base::parse_int(words[2]) : std::nullopt) {
      constexpr std::int64_t score_max = 1'000'000;
      move.score = static_cast<int>(std::clamp(*score, -score_max, score_max));
    }
    move.count = words.size() > 4 ? base::parse_int(words[4]) : std::nullopt;
    moves.push_back(std::move(move));
  }
  return moves;
}

std::optional<std::size_t> choose(std::span<const Move> moves, Rule rule, int temperature,
                                  std::uint64_t random) {
  if (moves.empty()) {
    return std::nullopt;
  }
  if (rule == Rule::best) {
    return 0;
  }
  const auto all = weights(moves, rule, temperature);
  double total = 0;
  for (const double weight : all) {
    total += weight;
  }
  // 53 bits: as many as a double holds exactly.
  double left = static_cast<double>(random >> 11U) / 9'007'199'254'740'992.0 * total;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (left < all[i]) {
      return i;
    }
    left -= all[i];
  }
  return 0;
}

namespace {

constexpr std::size_t piece_bytes = 4096;
/// No position is written longer; a longer line is none.
constexpr std::size_t line_bytes_max = 512;

struct FoundLine {
  std::uint64_t begin = 0;
  std::uint64_t behind = 0;  ///< of its line end
  std::string key;
};

/// The first "sfen" line that begins at `from` or later and before `end`. `from` is the beginning of
/// the file, or any place within it: then only a line behind a line end counts.
std::optional<FoundLine> next_position(const ReadAt& read, std::uint64_t from, std::uint64_t end) {
  std::uint64_t at = from;
  while (at < end) {
    const std::string piece = read(at, piece_bytes + line_bytes_max);
    std::size_t line = at == 0 ? piece.size() - base::without_byte_order_mark(piece).size() : piece.find('\n');
    if (at != 0 && line != std::string::npos) {
      ++line;
    }
    while (line != std::string::npos && line < piece.size() && line < piece_bytes) {
      if (at + line >= end) {
        return std::nullopt;
      }
      const std::size_t line_end = std::min(piece.find('\n', line), piece.size());
      if (const auto key = key_in(std::string_view(piece).substr(line, line_end - line))) {
        return FoundLine{at + line, at + line_end + 1, std::string(*key)};
      }
      line = line_end < piece.size() ? line_end + 1 : std::string::npos;
    }
    if (piece.size() < piece_bytes) {
      return std::nullopt;
    }
    // Lines may begin right at the end of the piece: their line end is read again.
    at += piece_bytes - 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> find_in_sorted(const ReadAt& read, std::uint64_t size,
                                            std::string_view key) {
  std::uint64_t begin = 0;
  std::uint64_t end = size;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    // One byte before, so that a line that begins in the middle itself is found.
    const auto found = next_position(read, middle == 0 ? 0 : middle - 1, end);
    if (!found) {
      end = middle;
    } else if (found->key == key) {
      return found->behind;
    } else if (key < found->key) {
      end = middle;
    } else {
      begin = found->behind;
    }
  }
  return std::nullopt;
}

}  // namespace kakehashi::shogi::book
