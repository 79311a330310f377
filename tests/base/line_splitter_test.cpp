#include "base/line_splitter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kakehashi::base {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Trouble = LineSplitter::Trouble;

TEST(LineSplitter, many_lines_in_one_segment_come_out_one_by_one) {
  LineSplitter splitter(64);
  EXPECT_THAT(splitter.feed("+7776FU,T1\n#SENNICHITE\n#DRAW\n").lines,
              ElementsAre("+7776FU,T1", "#SENNICHITE", "#DRAW"));
}

TEST(LineSplitter, one_line_in_many_segments_comes_out_whole) {
  LineSplitter splitter(64);
  for (const char c : std::string("-3334FU,T5")) {
    EXPECT_THAT(splitter.feed(std::string(1, c)).lines, IsEmpty());
  }
  EXPECT_THAT(splitter.feed("\n").lines, ElementsAre("-3334FU,T5"));
}

TEST(LineSplitter, every_way_of_cutting_a_stream_gives_the_same_lines) {
  const std::string stream = "LOGIN:a OK\r\n\nSTART:x\r\n\r\n+7776FU,T0\n";
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      LineSplitter splitter(64);
      std::vector<std::string> lines;
      for (const auto& piece : {stream.substr(0, first), stream.substr(first, second - first),
                                stream.substr(second)}) {
        for (auto& line : splitter.feed(piece).lines) {
          lines.emplace_back(line);
        }
      }
      ASSERT_THAT(lines, ElementsAre("LOGIN:a OK", "", "START:x", "", "+7776FU,T0"));
    }
  }
}

TEST(LineSplitter, only_one_carriage_return_is_dropped) {
  LineSplitter splitter(64);
  EXPECT_THAT(splitter.feed("a\r\r\n").lines, ElementsAre("a\r"));
}

TEST(LineSplitter, a_line_at_the_bound_passes_and_one_above_it_is_reported_and_dropped) {
  LineSplitter splitter(4);
  const auto at_bound = splitter.feed("abcd\n");
  EXPECT_THAT(at_bound.lines, ElementsAre("abcd"));
  EXPECT_EQ(at_bound.trouble, Trouble::none);
  const auto above = splitter.feed("abcde\nok\n");
  EXPECT_THAT(above.lines, ElementsAre("ok"));
  EXPECT_EQ(above.trouble, Trouble::line_too_long);
}

TEST(LineSplitter, an_endless_line_is_reported_once_and_ends_with_its_line_feed) {
  LineSplitter splitter(8);
  EXPECT_EQ(splitter.feed("123456789").trouble, Trouble::line_too_long);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(splitter.feed("123456789").trouble, Trouble::none);
  }
  EXPECT_THAT(splitter.feed("\nnext\n").lines, ElementsAre("next"));
}

TEST(LineSplitter, a_nul_byte_makes_its_line_broken) {
  LineSplitter splitter(64);
  const auto fed = splitter.feed(std::string_view("a\0b\nc\n", 6));
  EXPECT_EQ(fed.trouble, Trouble::nul_byte);
  EXPECT_THAT(fed.lines, ElementsAre("c"));
}

TEST(LineSplitter, an_unfinished_last_line_can_be_taken_at_the_end) {
  LineSplitter splitter(64);
  EXPECT_THAT(splitter.feed("bestmove 7g7f").lines, IsEmpty());
  EXPECT_EQ(splitter.take_unfinished(), "bestmove 7g7f");
  EXPECT_EQ(splitter.take_unfinished(), "");
}

}  // namespace
}  // namespace kakehashi::base
