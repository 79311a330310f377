#include "usi/flood.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kakehashi::usi {
namespace {

using ::testing::ElementsAre;

TEST(Flood, few_lines_are_left_alone) {
  std::vector<std::string> lines{"info depth 1", "bestmove 7g7f"};
  EXPECT_EQ(thin_out(lines, 2), 0U);
  EXPECT_THAT(lines, ElementsAre("info depth 1", "bestmove 7g7f"));
}

TEST(Flood, the_last_of_the_search_progress_stays_and_everything_else) {
  std::vector<std::string> lines{"info depth 1", "info string loading", " info depth 2", "readyok",
                                 "info depth 3", "info error x",        "info depth 4", "bestmove a"};
  EXPECT_EQ(thin_out(lines, 2), 2U);
  EXPECT_THAT(lines, ElementsAre("info string loading", "readyok", "info depth 3", "info error x",
                                 "info depth 4", "bestmove a"));
}

TEST(Flood, a_hundred_thousand_lines_become_few) {
  std::vector<std::string> lines(100'000, "info depth 9 currmove 7g7f");
  lines.emplace_back("bestmove 7g7f");
  EXPECT_EQ(thin_out(lines), 100'000U - 64U);
  EXPECT_EQ(lines.size(), 65U);
  EXPECT_EQ(lines.back(), "bestmove 7g7f");
}

TEST(Flood, the_principal_variation_outlives_a_hundred_currmoves) {
  std::vector<std::string> lines(100, "info currmove 7g7f");
  lines.insert(lines.begin(), "info depth 5 score cp 3 pv 7g7f");
  EXPECT_EQ(thin_out(lines), 36U);
  EXPECT_EQ(lines.front(), "info depth 5 score cp 3 pv 7g7f");
}

}  // namespace
}  // namespace kakehashi::usi
