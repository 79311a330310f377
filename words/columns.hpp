// Messages side by side in a terminal, where Japanese takes two columns for each character. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/message.hpp"
#include "words/words.hpp"

namespace kakehashi::words {

/// "engine    starting now": the label with spaces behind it up to `width` columns, one at least.
[[nodiscard]] std::string labelled(Language language, const base::Message& label, const base::Message& text,
                                   std::size_t width = 10);

enum class Side { left, right };

/// One of a row's: as wide as it is, or `width` columns if that is more. At the right side for numbers.
struct Cell {
  base::Message text;
  std::size_t width = 0;
  Side side = Side::left;
};

/// Two spaces apart; none stand at its end.
[[nodiscard]] std::string row(Language language, std::span<const Cell> cells);

}  // namespace kakehashi::words
