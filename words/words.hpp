// The room words: what people read, in their language. It has the Japanese of each sentence, of po/ja.po, and renders
// messages; it knows no bot, and nothing depends on what it says. Pure: who the reader is, the shells say.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/message.hpp"

namespace kakehashi::words {

enum class Language { english, japanese };

/// That of a POSIX locale: of the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty. Null: not set.
[[nodiscard]] Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang);

/// The Japanese of a sentence, by po/ja.po; one that it has not stays English. A translation of base::Message.
[[nodiscard]] std::string_view japanese_of(std::string_view context, std::string_view sentence);
[[nodiscard]] inline std::string in(Language language, const base::Message& message) {
  return language == Language::japanese ? message.in(japanese_of) : message.english();
}

// --- messages side by side in a terminal, where Japanese takes two columns for each character

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
