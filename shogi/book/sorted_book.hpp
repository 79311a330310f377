// Finding a position in a book that is sorted by its positions and too large to be read whole. It
// reads pieces through a function and knows no file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::shogi::book {

/// Up to so many bytes from there; fewer at the end, and after an error.
using ReadAt = std::function<std::string(std::uint64_t offset, std::size_t bytes)>;

/// Where the lines behind the position's own begin; nothing when it is not in the book, or the book
/// is not sorted. Reads a few pieces for each halving of `size`.
[[nodiscard]] std::optional<std::uint64_t> find_in_sorted(const ReadAt& read, std::uint64_t size,
                                                          std::string_view key);

}  // namespace kakehashi::shogi::book
