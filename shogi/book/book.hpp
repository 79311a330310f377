// The room shogi/book: opening books as texts. It owns how they are read and searched, and how one of their moves is
// chosen; it touches no file, and knows no game and no engine.
//
// Opening books in the text format of YaneuraOu's: what one says about a position, and finding a position in one that is
// sorted and too large to be read whole. It knows no file.
//
//   #YANEURAOU-DB2016 1.00
//   sfen <board> <side> <hands> <ply>
//   <move> <reply> <score> <depth> <count>
//
// Positions are matched without the ply. Lines of any other kind are comments.
// Source: YaneuraOu's "#YANEURAOU-DB2016", as ShogiHome reads it too (book/yaneuraou.ts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shogi/position.hpp"

namespace kakehashi::shogi::book {

inline constexpr std::string_view header = "#YANEURAOU-DB2016 1.00";
inline constexpr std::size_t moves_max = 600;  ///< no position has more legal ones

struct Move {
  std::string text;                   ///< in USI's words; any word that looks like a move
  std::optional<int> score{};         ///< centipawns for the side to move; "none" is nothing
  std::optional<std::int64_t> count{};

  friend bool operator==(const Move&, const Move&) = default;
};

/// "board side hands", as a book writes it.
[[nodiscard]] std::string key_of(const Position& position);

/// The key of a line "sfen …"; nothing for every other line.
[[nodiscard]] std::optional<std::string_view> key_in(std::string_view line);
/// The ply of such a line; 0 when it has none.
[[nodiscard]] std::int64_t ply_in(std::string_view line);

/// The moves of the lines up to the next position, in their order, at most moves_max.
[[nodiscard]] std::vector<Move> read_moves(std::string_view text);

enum class Rule {
  best,      ///< the first: books put the best one there
  by_count,  ///< as often as it was played
  by_score,  ///< by exp((score - best) / temperature)
};

/// The index of the move to play; `random` is any number, each new choice takes a new one. Nothing
/// when there are no moves. Where nothing has a weight, the first.
[[nodiscard]] std::optional<std::size_t> choose(std::span<const Move> moves, Rule rule,
                                                int temperature, std::uint64_t random);

/// Up to so many bytes from there; fewer at the end, and after an error.
using ReadAt = std::function<std::string(std::uint64_t offset, std::size_t bytes)>;

/// Where the lines behind the position's own begin; nothing when it is not in the book, or the book
/// is not sorted. Reads a few pieces for each halving of `size`.
[[nodiscard]] std::optional<std::uint64_t> find_in_sorted(const ReadAt& read, std::uint64_t size,
                                                          std::string_view key);

}  // namespace kakehashi::shogi::book
