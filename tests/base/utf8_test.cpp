#include "base/utf8.hpp"

#include <gtest/gtest.h>

namespace kakehashi::base {
namespace {

TEST(Utf8, a_byte_order_mark_is_left_out_where_a_text_begins_and_nowhere_else) {
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBF" "a\xEF\xBB\xBF"), "a\xEF\xBB\xBF");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB"), "\xEF\xBB");
  EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(Utf8, a_column_is_as_wide_in_characters_whatever_their_bytes) {
  EXPECT_EQ(padded("foe", 5), "foe  ");
  EXPECT_EQ(padded("将棋", 5), "将棋   ");
  EXPECT_EQ(padded("a long name", 5), "a long name");
}

}  // namespace
}  // namespace kakehashi::base
