#include "shogi/book/sorted_book.hpp"

#include "shogi/book/entry.hpp"

namespace kakehashi::shogi::book {
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
    std::size_t line = at == 0 ? (piece.starts_with("\xEF\xBB\xBF") ? 3 : 0) : piece.find('\n');
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
