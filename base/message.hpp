// What people are told, as a value: a sentence of ours and the parts that stand in it, put together where it is said and
// never taken apart again. Each language is a rendering of it (words/words.hpp), made by the shells alone; in English a
// sentence is its own rendering. Journals, tests and JSON get English, JSON logs the parts besides. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.hpp"

namespace kakehashi::base {

/// Where the next part of a sentence stands: {}, or {0} to {9} where a language orders them otherwise. Other braces are
/// text.
[[nodiscard]] constexpr std::size_t find_part(std::string_view sentence, std::size_t from) {
  for (std::size_t at = sentence.find('{', from); at != std::string_view::npos; at = sentence.find('{', at + 1)) {
    const std::string_view rest = sentence.substr(at + 1, 2);
    if (rest.starts_with('}') || (rest.size() == 2 && rest[0] >= '0' && rest[0] <= '9' && rest[1] == '}')) {
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
    if (sentence[at + 1] == '}') {
      ++next;
    } else {
      named |= 1U << static_cast<unsigned>(sentence[at + 1] - '0');
    }
  }
  int count = 0;
  while ((named >> static_cast<unsigned>(count)) & 1U) {
    ++count;
  }
  return named == 0 ? next : next == 0 && named >> static_cast<unsigned>(count) == 0 ? count : -1;
}

/// A sentence with that many parts. One that has another number of them does not compile.
template <std::size_t parts>
struct Sentence {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
  consteval Sentence(const char* literal) : text(literal) {
    if (parts_of(text) != static_cast<int>(parts)) {
      throw "the sentence has another number of parts";
    }
  }
  std::string_view text;
};

/// What peers said and people named: shown in quotes, escaped and cut (quote_for_log).
struct Quoted {
  std::string text;
  std::size_t bytes_max = 200;
};
[[nodiscard]] inline Quoted quoted(std::string_view text, std::size_t bytes_max = 200) {
  return {std::string(text.substr(0, bytes_max + 1)), bytes_max};
}

class Message {
 public:
  struct Part;

  Message();  ///< says nothing
  Message(const Message& other);
  Message(Message&& other) noexcept;
  Message& operator=(const Message& other);
  Message& operator=(Message&& other) noexcept;
  ~Message();
  Message(std::string_view context, std::string_view sentence, std::vector<Part> parts);

  [[nodiscard]] bool empty() const { return sentence_.empty(); }
  /// Literals: valid as long as the program.
  [[nodiscard]] std::string_view sentence() const { return sentence_; }
  [[nodiscard]] std::string_view context() const { return context_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  /// What a sentence is in another language, by its context ("" as a rule) and its English.
  using Translation = std::string_view (*)(std::string_view context, std::string_view sentence);
  [[nodiscard]] std::string in(Translation translation) const;
  [[nodiscard]] std::string english() const;
  explicit operator std::string() const { return english(); }

  /// With other texts and quotes, its own sentences as they are: how secrets are hidden.
  [[nodiscard]] Message with_texts(const std::function<std::string(std::string)>& changed) const;

  /// Both say the same in English.
  friend bool operator==(const Message& a, const Message& b) { return a.english() == b.english(); }
  friend bool operator==(const Message& a, std::string_view b) { return a.english() == b; }
  friend bool operator==(const Message& a, const std::string& b) { return a.english() == b; }
  friend bool operator==(const Message& a, const char* b) { return a.english() == b; }
  friend std::ostream& operator<<(std::ostream& out, const Message& message);

 private:
  std::string_view context_;
  std::string_view sentence_;
  std::vector<Part> parts_;
};

/// A text stands as it is; a number is one; a message is rendered by itself.
struct Message::Part {
  std::variant<std::string, Quoted, std::int64_t, Message> value;

  // NOLINTBEGIN(google-explicit-constructor): what stands in a sentence is one of these. No `const char*`: words of ours
  // are said, too.
  Part(std::string text) : value(std::move(text)) {}
  Part(std::string_view text) : value(std::string(text)) {}
  Part(const char*) = delete;
  Part(Quoted text) : value(std::move(text)) {}
  Part(Message message) : value(std::move(message)) {}
  template <class Number>
    requires(std::is_integral_v<Number> && !std::is_same_v<Number, bool> && !std::is_same_v<Number, char>)
  Part(Number number) : value(static_cast<std::int64_t>(number)) {}
  // NOLINTEND(google-explicit-constructor)

  /// In English, and a quoted text without its quotes: as a field of JSON.
  [[nodiscard]] std::string plain() const;
};

/// `say("no connection to {}: {}", quoted(address), why)`: the sentence is its own identifier. po/ja.po has each one that
/// stands behind `say(` in the sources.
template <class... Parts>
[[nodiscard, gnu::cold]] Message say(std::type_identity_t<Sentence<sizeof...(Parts)>> sentence, Parts&&... parts) {
  std::vector<Message::Part> all;
  all.reserve(sizeof...(Parts));
  (all.emplace_back(std::forward<Parts>(parts)), ...);
  return {{}, sentence.text, std::move(all)};
}

/// The same, of what is said otherwise in that context: `say_as("column", "game")`.
template <class... Parts>
[[nodiscard]] Message say_as(Sentence<0> context, std::type_identity_t<Sentence<sizeof...(Parts)>> sentence,
                             Parts&&... parts) {
  Message all = say(sentence, std::forward<Parts>(parts)...);
  return {context.text, sentence.text, all.parts()};
}

/// Text that is no sentence of ours: a peer's, a library's, a sum of words that has no language.
[[nodiscard]] Message verbatim(std::string text);
[[nodiscard]] Message verbatim(Quoted text);
/// What the system says of an error: its usual words are known in other languages too.
[[nodiscard]] Message system_words(std::string text);

/// "250 ms", "12.5 s", "3 min 20 s".
[[nodiscard]] Message duration(std::int64_t millis);

/// "a, b, c".
[[nodiscard]] Message listed(std::span<const Message> messages);
/// "a, b or c".
[[nodiscard]] Message choices(std::span<const Message> messages);
/// The same of words that have no language, such as keys and the names of commands.
[[nodiscard]] Message listed(std::span<const std::string> words);
[[nodiscard]] Message choices(std::span<const std::string> words);

}  // namespace kakehashi::base
