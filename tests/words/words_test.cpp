// Each sentence of po/ja.po in both languages, with what peers may say in its parts.
#include "words/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.hpp"
#include "base/text.hpp"

namespace kakehashi::words {
namespace {

using base::Message;

struct Entry {
  std::string_view key;  ///< as in words/translations.cpp
  std::string_view japanese;

  std::string_view context() const { return key.substr(0, key.find('\4') == std::string_view::npos ? 0 : key.find('\4')); }
  std::string_view english() const { return key.substr(key.find('\4') + 1); }
};

constexpr Entry entries[] = {
#include "words/ja.inc"
};

/// The sentence with those texts in it, by the rule of po/ja.po.
std::string filled(std::string_view sentence, const std::vector<std::string>& texts) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const auto rest = sentence.substr(at);
    if (rest.starts_with("{}")) {
      out += texts.at(next++);
      at += 1;
    } else if (rest.size() > 2 && rest[0] == '{' && rest[1] >= '0' && rest[1] <= '9' && rest[2] == '}') {
      out += texts.at(static_cast<std::size_t>(rest[1] - '0'));
      at += 2;
    } else {
      out += rest.front();
    }
  }
  return out;
}

/// Fails unless each rendering is the sentence of its language with just those texts in it.
void expect_rendered(const Entry& entry, const std::vector<Message::Part>& parts, const std::vector<std::string>& english,
                     const std::vector<std::string>& japanese) {
  const Message message(entry.context(), entry.english(), parts);
  EXPECT_EQ(in(Language::english, message), filled(entry.english(), english));
  EXPECT_EQ(in(Language::japanese, message), filled(entry.japanese, japanese)) << entry.english();
}

std::size_t parts_in(const Entry& entry) { return static_cast<std::size_t>(base::parts_of(entry.english())); }

TEST(Words, the_text_of_a_part_stands_as_it_is_in_every_sentence) {
  const std::string awkward[] = {"",      " ",  "\"",  "a \"quote that never ends", "\\", "; ", "{}",  "{0}", "{1} {9}",
                                 ": (, ", "won", "{} s", "no connection to \"x\": y",  "勝ち", "\xff", "%s \4 \n"};
  for (const Entry& entry : entries) {
    for (const std::string& text : awkward) {
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < parts_in(entry); ++i) {
        texts.push_back(text + std::to_string(i) + text);
      }
      expect_rendered(entry, {texts.begin(), texts.end()}, texts, texts);
      texts.assign(parts_in(entry), text);
      expect_rendered(entry, {texts.begin(), texts.end()}, texts, texts);
    }
  }
}

TEST(Words, a_text_that_is_a_sentence_of_ours_is_a_text) {
  for (const Entry& entry : entries) {
    const std::string text(entry.english());
    expect_rendered({"no connection to {}: {}", japanese_of("", "no connection to {}: {}")}, {text, base::quoted(text, 1000)},
                    {text, base::quote_for_log(text, 1000)}, {text, base::quote_for_log(text, 1000)});
    EXPECT_EQ(in(Language::japanese, base::verbatim(text)), text);
  }
}

TEST(Words, what_peers_said_is_in_quotes_and_numbers_are_numbers_in_every_sentence) {
  const std::string peer = "\"; {} the engine\n";
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  for (const Entry& entry : entries) {
    const std::vector<std::string> quotes(parts_in(entry), base::quote_for_log(peer, 200));
    expect_rendered(entry, std::vector<Message::Part>(parts_in(entry), base::quoted(peer)), quotes, quotes);
    const std::vector<std::string> numbers(parts_in(entry), std::to_string(least));
    expect_rendered(entry, std::vector<Message::Part>(parts_in(entry), least), numbers, numbers);
  }
}

TEST(Words, a_message_in_a_message_is_said_in_the_same_language) {
  const std::string text = "the engine; won";
  for (const Entry& entry : entries) {
    const Message message(entry.context(), entry.english(), std::vector<Message::Part>(parts_in(entry), text));
    EXPECT_EQ(in(Language::english, base::say("{} ({})", message, base::say("won"))), message.english() + " (won)");
    EXPECT_EQ(in(Language::japanese, base::say("{} ({})", message, base::say("won"))),
              in(Language::japanese, message) + "(勝ち)");
  }
}

TEST(Words, the_order_of_the_parts_is_the_languages_own) {
  bool is_any = false;
  for (const Entry& entry : entries) {
    is_any = is_any || entry.japanese.find("{1}") < entry.japanese.find("{0}");
  }
  EXPECT_TRUE(is_any) << "or what is above proves less than it says";
}

TEST(Words, a_word_may_be_said_otherwise_in_a_context) {
  EXPECT_NE(japanese_of("column", "drawn"), japanese_of("", "drawn"));
}

TEST(Words, the_locale_says_the_language) {
  EXPECT_EQ(language_of_locale(nullptr, nullptr, nullptr), Language::english);
  EXPECT_EQ(language_of_locale(nullptr, nullptr, "ja_JP.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale(nullptr, "ja", "en_US.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale("C.UTF-8", "ja_JP.UTF-8", "ja_JP.UTF-8"), Language::english);
  EXPECT_EQ(language_of_locale("", "", "ja.UTF-8"), Language::japanese);
  EXPECT_EQ(language_of_locale(nullptr, nullptr, "jam"), Language::english);
}

}  // namespace
}  // namespace kakehashi::words
