#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace kakehashi::base {
namespace {

using ::testing::ElementsAre;

TEST(Text, trimming_takes_spaces_tabs_and_carriage_returns_from_both_ends) {
  EXPECT_EQ(trim(" \tbestmove 7g7f \r"), "bestmove 7g7f");
  EXPECT_EQ(trim(" \t "), "");
}

TEST(Text, control_bytes_are_those_below_a_space_and_delete) {
  EXPECT_TRUE(has_control_byte("a\rb"));
  EXPECT_TRUE(has_control_byte("\x1F"));
  EXPECT_TRUE(has_control_byte("\x7F"));
  EXPECT_FALSE(has_control_byte(""));
  EXPECT_FALSE(has_control_byte("a b~ \xE6\xA1\x82"));
}

TEST(Text, words_are_separated_by_any_run_of_blanks) {
  EXPECT_THAT(split_words("  info   depth\t3 "), ElementsAre("info", "depth", "3"));
  EXPECT_TRUE(split_words(" ").empty());
}

TEST(Text, splitting_keeps_empty_pieces) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Text, an_integer_is_read_whole_or_not_at_all) {
  EXPECT_EQ(parse_int("-12"), -12);
  EXPECT_EQ(parse_int("+7"), 7);
  for (const char* bad : {"", "+", "-", "+-1", "1x", " 1", "1 ", "9223372036854775808"}) {
    EXPECT_EQ(parse_int(bad), std::nullopt) << bad;
  }
}

TEST(Text, quoting_escapes_control_bytes_and_broken_utf8_and_keeps_good_utf8) {
  EXPECT_EQ(quote_for_log("a\"b\\c\n\x1b[31m"), R"("a\"b\\c\x0A\x1B[31m")");
  EXPECT_EQ(quote_for_log("将棋"), "\"将棋\"");
  EXPECT_EQ(quote_for_log("\xE5\xB0"), R"("\xE5\xB0")");
  EXPECT_EQ(quote_for_log("\xC2\x9B"), R"("\xC2\x9B")") << "a C1 control can drive a terminal";
}

TEST(Text, quoting_cuts_long_text) {
  EXPECT_EQ(quote_for_log(std::string(50, 'x'), 10), "\"xxxxxxxxx…\"");
}

TEST(Text, the_nearest_candidate_is_suggested_only_when_near_enough) {
  const std::vector<std::string> names{"server", "account", "engine"};
  EXPECT_EQ(nearest("sever", names), "server");
  EXPECT_EQ(nearest("ENGINE", names), "engine");
  EXPECT_EQ(nearest("zebra", names), std::nullopt);
}

TEST(Text, two_letters_that_changed_places_are_one_slip) {
  const std::vector<std::string> names{"host", "port", "keepalive"};
  EXPECT_EQ(nearest("prot", names), "port");
  EXPECT_EQ(nearest("hsot", names), "host");
  EXPECT_EQ(nearest("kepealive", names), "keepalive");
  EXPECT_EQ(nearest("trpo", names), std::nullopt);
}

TEST(Text, durations_for_people_carry_their_unit) {
  EXPECT_EQ(format_millis(0), "0 ms");
  EXPECT_EQ(format_millis(250), "250 ms");
  EXPECT_EQ(format_millis(12'500), "12.5 s");
  EXPECT_EQ(format_millis(1'050), "1.05 s");
  EXPECT_EQ(format_millis(200'000), "3 min 20 s");
  EXPECT_EQ(format_millis(7'200'000), "2 h");
  EXPECT_EQ(format_millis(-1'500), "-1.5 s");
  EXPECT_EQ(format_millis(std::numeric_limits<std::int64_t>::min()).front(), '-');
}

}  // namespace
}  // namespace kakehashi::base
