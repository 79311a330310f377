#include "words/columns.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace kakehashi::words {

std::string labelled(Language language, const base::Message& label, const base::Message& text, std::size_t width) {
  return base::padded(in(language, label) + " ", width) + in(language, text);
}

std::string row(Language language, std::span<const Cell> cells) {
  std::string out;
  for (const Cell& cell : cells) {
    const std::string text = in(language, cell.text);
    const std::string space(cell.width - std::min(cell.width, base::columns_of(text)), ' ');
    out += (out.empty() ? "" : "  ") + (cell.side == Side::left ? text + space : space + text);
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

}  // namespace kakehashi::words
