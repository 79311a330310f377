// The room words: what people read, in their language. It owns all sentences in English and Japanese, and how one
// becomes the other; it knows no bot, and nothing depends on what it says.
//
// The languages in which Kakehashi speaks to people. What decides gives sentences in English, whatever the language of
// the reader is: so journals, tests and the notes of the core are the same everywhere. Where a sentence is written for a
// person, it is said in that person's language here, by the one catalogue of all sentences (catalogue.cpp).
// Pure: who the reader is, the shells say.
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

/// A sentence of ours in Japanese. What the catalogue does not have stays as it is, and so does everything in double
/// quotes: that is what peers said and people named.
[[nodiscard]] std::string in_japanese(std::string_view sentence);

/// The Japanese of a sentence, by po/ja.po; one that it has not stays English. A translation of base::Message.
[[nodiscard]] std::string_view japanese_of(std::string_view context, std::string_view sentence);
[[nodiscard]] inline std::string in(Language language, const base::Message& message) {
  return language == Language::japanese ? message.in(japanese_of, in_japanese) : message.english();
}

/// A line of a terminal: its columns, two or more spaces apart, each by itself and where it stood.
[[nodiscard]] std::string line_in_japanese(std::string_view line);

/// A sentence in both languages. In English, {} is a part, which is said in Japanese by itself, {k} one that is kept,
/// {q} one in quotes, and {n} a number; none holds a "; ", but for one behind a colon that is the last in both languages. In Japanese, {} is the next part, or {0} the first one, {1} the second …, where their order is another.
struct Pair {
  std::string_view english;
  std::string_view japanese;

  // A pair that does not agree does not compile.
  consteval Pair(std::string_view in_english, std::string_view in_japanese);  // NOLINT(google-explicit-constructor)
};
/// All of them; the English ones differ.
[[nodiscard]] std::span<const Pair> catalogue();
/// Words that are said in Japanese only where they are a column of a line.
[[nodiscard]] std::span<const Pair> labels();

/// Where the next part of a sentence is, {}, {n}, {k}, {q} or {0} to {9}; other braces are text.
[[nodiscard]] constexpr std::size_t find_part(std::string_view sentence, std::size_t from) {
  for (std::size_t at = sentence.find('{', from); at != std::string_view::npos; at = sentence.find('{', at + 1)) {
    const std::string_view rest = sentence.substr(at + 1, 2);
    const bool is_name = rest.size() == 2 && (rest[0] == 'n' || rest[0] == 'k' || rest[0] == 'q' || (rest[0] >= '0' && rest[0] <= '9')) && rest[1] == '}';
    if (rest.starts_with('}') || is_name) {
      return at;
    }
  }
  return std::string_view::npos;
}

/// How many parts a sentence has; -1: one of {0}, {1}, … is left out, or they are mixed with {}.
[[nodiscard]] constexpr int parts_of(std::string_view sentence) {
  int next = 0;
  unsigned named = 0;
  for (std::size_t at = find_part(sentence, 0); at != std::string_view::npos; at = find_part(sentence, at + 1)) {
    if (sentence[at + 1] < '0' || sentence[at + 1] > '9') {
      ++next;
    } else {
      named |= 1U << static_cast<unsigned>(sentence[at + 1] - '0');
    }
  }
  if (named == 0) {
    return next;
  }
  int count = 0;
  while ((named >> static_cast<unsigned>(count)) & 1U) {
    ++count;
  }
  return next == 0 && named >> static_cast<unsigned>(count) == 0 ? count : -1;
}

consteval Pair::Pair(std::string_view in_english, std::string_view in_japanese)
    : english(in_english), japanese(in_japanese) {
  if (english.empty() || japanese.empty()) {
    throw "a sentence has no twin";
  }
  if (parts_of(english) < 0 || parts_of(english) != parts_of(japanese)) {
    throw "the parts of both languages differ";
  }
  if (parts_of(english) > 0 && english.find('"') != std::string_view::npos) {
    throw "what is in quotes is never looked into";
  }
}

}  // namespace kakehashi::words
