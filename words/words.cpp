#include "words/words.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace kakehashi::words {

Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang) {
  for (const char* name : {lc_all, lc_messages, lang}) {
    if (name != nullptr && *name != '\0') {
      const std::string_view locale(name);
      return locale == "ja" || locale.starts_with("ja_") || locale.starts_with("ja.") ? Language::japanese
                                                                                       : Language::english;
    }
  }
  return Language::english;
}

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
