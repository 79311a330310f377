#include "base/encoding.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "base/utf8.hpp"

namespace kakehashi::base {
namespace {

constexpr const char* shogi_in_cp932 = "\x8F\xAB\x8A\xFB";
constexpr const char* shogi_in_euc_jp = "\xBE\xAD\xB4\xFD";

std::string bytes(unsigned lead, unsigned trail) { return {static_cast<char>(lead), static_cast<char>(trail)}; }

/// All that code page 932 has with two bytes.
std::vector<std::string> pairs() {
  std::vector<std::string> found;
  for (unsigned lead = 0x80; lead <= 0xFF; ++lead) {
    const bool is_half_width = lead >= 0xA1 && lead <= 0xDF;
    for (unsigned trail = 0; trail <= 0xFF && !is_half_width; ++trail) {
      if (from_cp932(bytes(lead, trail))) {
        found.push_back(bytes(lead, trail));
      }
    }
  }
  return found;
}

TEST(Cp932, every_character_comes_back_in_its_bytes_or_in_those_that_windows_writes) {
  std::size_t others = 0;
  std::string all;
  for (const std::string& two : pairs()) {
    const std::string utf8 = *from_cp932(two);
    ASSERT_EQ(utf8_bytes(utf8), utf8.size());
    ASSERT_EQ(utf8_at(utf8, 0)->length_bytes, utf8.size()) << "one character";
    ASSERT_EQ(*from_cp932(to_cp932(utf8)), utf8);
    others += to_cp932(utf8) != two ? 1U : 0U;
    all += utf8;
  }
  EXPECT_EQ(others, 398U) << "NEC's selection of IBM's characters, and what several rows have";
  EXPECT_EQ(pairs().size(), 9604U) << "user-defined characters included";
  EXPECT_EQ(crc32c(all), 0xA9BF5403U) << "whatever iconv built the table";
}

TEST(Cp932, what_has_one_byte_comes_back) {
  for (unsigned byte = 0; byte <= 0xFF; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    const bool is_character = byte < 0x80 || (byte >= 0xA1 && byte <= 0xDF);
    const auto utf8 = from_cp932(one);
    ASSERT_EQ(utf8.has_value(), is_character) << byte;
    EXPECT_TRUE(!utf8 || to_cp932(*utf8) == one) << byte;
  }
  EXPECT_EQ(from_cp932("\xB1\xDF"), "ｱﾟ");
}

TEST(Cp932, japanese_is_read_and_written) {
  EXPECT_EQ(from_cp932(shogi_in_cp932), "将棋");
  EXPECT_EQ(to_cp932("将棋"), shogi_in_cp932);
  EXPECT_EQ(from_cp932("\x95\x5C\x8E\xA6 \\"), "表示 \\") << "a second byte may be a backslash";
  EXPECT_EQ(to_cp932("①髙ⅳⅣ∵"), "\x87\x40\xFB\xFC\xFA\x43\x87\x57\x81\xE6") << "as Windows writes them";
}

TEST(Cp932, other_forms_of_a_character_are_written_as_windows_does) {
  EXPECT_EQ(to_cp932("〜−‖—¢£¬¥‾"), "\x81\x60\x81\x7C\x81\x61\x81\x5C\x81\x91\x81\x92\x81\xCA\\~");
}

TEST(Cp932, broken_bytes_are_no_text) {
  for (const char* broken : {"a\x81", "\x95", "\x95 ", "\x81\x7F", "\x81\xFD", "\x81\xAD", "\x80", "\xA0", "\xFD\x40", "\xFF",
                             "caf\xE9 x"}) {
    EXPECT_FALSE(from_cp932(broken)) << broken;
  }
  EXPECT_EQ(from_cp932(""), "");
}

TEST(Cp932, characters_that_it_does_not_have_become_question_marks) {
  EXPECT_EQ(to_cp932("a\U0001F600\u0001é\xFFz\xE5"), "a?\x01??z?");
}

TEST(ToUtf8, knows_utf8_euc_jp_and_shift_jis_apart) {
  EXPECT_EQ(*to_utf8("将棋 \U0001F600"), "将棋 \U0001F600");
  EXPECT_EQ(*to_utf8(shogi_in_cp932), "将棋");
  EXPECT_EQ(*to_utf8(shogi_in_euc_jp), "将棋");
  EXPECT_EQ(*to_utf8(std::string("N+") + shogi_in_euc_jp + "\x8E\xB1\xF4\xA5\n"), "N+将棋ｱ凜\n") << "half width, and row 84";
  EXPECT_EQ(*to_utf8("\xA1\xA1\xA1\xFE\xA2\xA1\xA2\xFE\xDE\xFE\xDF\xA1"), "　◇◆◯滌漾") << "rows and their ends";
}

TEST(ToUtf8, the_first_line_that_is_none_of_them_is_named) {
  const auto none = to_utf8(std::string("a\n") + shogi_in_cp932 + "\n\x81");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().what, "line 3: these bytes are no text in UTF-8, Shift_JIS or EUC-JP");
  EXPECT_FALSE(to_utf8("将\xA1"));
}

}  // namespace
}  // namespace kakehashi::base
