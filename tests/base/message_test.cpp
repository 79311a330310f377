#include "base/message.hpp"

#include <gtest/gtest.h>

#include <array>

namespace kakehashi::base {
namespace {

std::string_view backwards(std::string_view context, std::string_view sentence) {
  return context == "column" ? "a column" : sentence == "{} before {}" ? "{1} after {0}" : sentence;
}

TEST(Message, is_its_sentence_with_its_parts_in_it) {
  const Message message = say("{} before {}", std::string("one"), 2);
  EXPECT_EQ(message.english(), "one before 2");
  EXPECT_EQ(message.sentence(), "{} before {}");
  ASSERT_EQ(message.parts().size(), 2U);
  EXPECT_EQ(message.parts()[1].plain(), "2");
}

TEST(Message, another_language_orders_the_parts_as_it_likes) {
  EXPECT_EQ(say("{} before {}", std::string("one"), 2).in(backwards), "2 after one");
  EXPECT_EQ(say("so: {}", say("{} before {}", 1, 2)).in(backwards), "so: 2 after 1");
  EXPECT_EQ(say_as("column", "bot").in(backwards), "a column");
  EXPECT_EQ(say_as("column", "bot").english(), "bot");
}

TEST(Message, what_a_part_says_is_never_looked_into) {
  EXPECT_EQ(say("{} before {}", std::string("{} before {}"), quoted("{0}; \"\n")).in(backwards),
            R"("{0}; \"\x0A" after {} before {})");
}

TEST(Message, a_part_of_words_without_spaces_has_none_beside_it_but_those_of_nouns) {
  const auto japanese = [](std::string_view, std::string_view sentence) -> std::string_view {
    return sentence == "{} before {}" ? "次の {} は {} です" : sentence == "a list" ? "リスト" : sentence == "game {}" ? "対局 {}" : sentence;
  };
  EXPECT_EQ(say("{} before {}", say("a list"), say("a list")).in(japanese), "次のリストはリストです");
  EXPECT_EQ(say("{} before {}", say("{} s", 5), quoted("x")).in(japanese), "次の 5 s は \"x\" です");
  EXPECT_EQ(say("{} before {}", std::string("リスト"), 2).in(japanese), "次の リスト は 2 です");
  EXPECT_EQ(say("game {}", say("a list")).in(japanese), "対局 リスト");
  EXPECT_EQ(say("{} before {}", say("a list ({})", 1), 2).in(japanese), "次の a list (1)は 2 です");
}

TEST(Message, a_quote_is_escaped_and_cut_for_people_and_plain_for_programs) {
  const Message message = say("{}", quoted("abcd\x1b", 3));
  EXPECT_EQ(message.english(), "\"ab…\"");
  EXPECT_EQ(say("{}", quoted("a\x1b")).parts()[0].plain(), "a\x1b");
}

TEST(Message, secrets_are_hidden_in_its_parts_and_not_in_its_sentence) {
  const Message message = say("secret {}: {}", std::string("secret"), say("{}", quoted("a secret")));
  const auto hidden = message.with_texts([](std::string text) { return text.replace(text.find("secret"), 6, "***"); });
  EXPECT_EQ(hidden.english(), "secret ***: \"a ***\"");
}

TEST(Message, durations_have_their_units) {
  EXPECT_EQ(duration(250).english(), "250 ms");
  EXPECT_EQ(duration(12500).english(), "12.5 s");
  EXPECT_EQ(duration(200000).english(), "3 min 20 s");
  EXPECT_EQ(duration(3600000).english(), "1 h");
  EXPECT_EQ(duration(-250).english(), "-250 ms");
}

TEST(Message, lists_are_joined) {
  const std::array words{say("a"), say("b"), say("c")};
  EXPECT_EQ(listed(words).english(), "a, b, c");
  EXPECT_EQ(choices(words).english(), "a, b or c");
  EXPECT_EQ(choices(std::span<const Message>()).english(), "");
}

}  // namespace
}  // namespace kakehashi::base
