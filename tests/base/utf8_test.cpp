#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace kakehashi::base {
namespace {

TEST(Utf8, a_byte_order_mark_is_left_out_where_a_text_begins_and_nowhere_else) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF" "a\xEF\xBB\xBF"), "a\xEF\xBB\xBF");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(Utf8, what_a_terminal_would_obey_or_a_person_would_not_see_is_spelled_out) {
  EXPECT_EQ(shown("two\nlines\tand 山田\u3000太郎 …"), "two\nlines\tand 山田\u3000太郎 …");
  EXPECT_EQ(shown("\x1b]0;x\x07\r\x7f"), R"(\u001B]0;x\u0007\u000D\u007F)");
  EXPECT_EQ(shown(std::string("\0", 1) + "\xC2\x9B" "2J\x9B\xE3\x81"), R"(\u0000\u009B2J\x9B\xE3\x81)");
  EXPECT_EQ(shown("\u202E\u2066\u2028\u200B\uFEFF\U000E0041"), R"(\u202E\u2066\u2028\u200B\uFEFF\uDB40\uDC41)");
}

TEST(Utf8, a_column_is_as_wide_as_a_terminal_shows_it) {
  EXPECT_EQ(padded("foe", 5), "foe  ");
  EXPECT_EQ(padded("将棋", 5), "将棋 ");
  EXPECT_EQ(padded("か\u3099é…", 5), "か\u3099é… ");
  EXPECT_EQ(padded("a long name", 5), "a long name");
}

TEST(MarkupText, begins_no_mark_and_hides_nothing) {
  EXPECT_EQ(markup_text("<a href=\"x\">&amp;"), "&lt;a href=&quot;x&quot;&gt;&amp;amp;");
  EXPECT_EQ(markup_text("歩\u3000と 1"), "歩\u3000と 1");
  for (const char* hidden : {"\u202E", "\u2066", "\u200B", "\u2028", "\n", "\x1B", "\x80", "\u009B"}) {
    EXPECT_EQ(markup_text(hidden), "\uFFFD");
  }
}

}  // namespace
}  // namespace kakehashi::base
