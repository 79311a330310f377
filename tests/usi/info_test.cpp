#include "usi/info.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace kakehashi::usi {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr base::SteadyTime start{};

/// A sieve whose allowance of this instant is used up.
InfoSieve exhausted() {
  InfoSieve sieve;
  const std::vector<std::string_view> burst(512, "info nodes 1");
  EXPECT_THAT(sieve.sift(burst, start).lines, SizeIs(512));
  return sieve;
}

TEST(InfoSieve, what_an_engine_usually_says_passes) {
  InfoSieve sieve;
  const auto sifted = sieve.sift({"info depth 1", "info string book", "bestmove 7g7f"}, start);
  EXPECT_THAT(sifted.lines, ElementsAre("info depth 1", "info string book", "bestmove 7g7f"));
  EXPECT_EQ(sifted.dropped, 0U);
}

TEST(InfoSieve, a_hundred_thousand_lines_become_few_and_the_last_ones_stay) {
  InfoSieve sieve;
  std::vector<std::string_view> lines(100'000, "info depth 9 currmove 7g7f");
  lines.emplace_back("info depth 10");
  lines.emplace_back("bestmove 7g7f");
  const auto sifted = sieve.sift(lines, start);
  EXPECT_THAT(sifted.lines, SizeIs(513));
  EXPECT_EQ(sifted.dropped, 100'001U - 512U);
  EXPECT_EQ(sifted.lines[511], "info depth 10");
  EXPECT_EQ(sifted.lines.back(), "bestmove 7g7f");
}

TEST(InfoSieve, what_is_held_back_goes_ahead_of_the_answer) {
  InfoSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"info pv 7g7f", "info depth 5 pv 2g2f", "info nodes 7"}, start).lines,
              IsEmpty());
  EXPECT_THAT(sieve.sift({"bestmove 2g2f"}, start).lines,
              ElementsAre("info nodes 7", "info depth 5 pv 2g2f", "bestmove 2g2f"));
}

TEST(InfoSieve, a_later_line_replaces_what_was_held_back) {
  InfoSieve sieve = exhausted();
  EXPECT_EQ(sieve.sift({"info depth 5 pv 2g2f"}, start).dropped, 0U);
  EXPECT_EQ(sieve.sift({"info depth 6 pv 2g2f"}, start).dropped, 1U);
  EXPECT_THAT(sieve.sift({"info depth 7 pv 2g2f"}, start + 1s).lines,
              ElementsAre("info depth 7 pv 2g2f"));
  EXPECT_THAT(sieve.sift({"bestmove 2g2f"}, start + 1s).lines, ElementsAre("bestmove 2g2f"));
}

TEST(InfoSieve, every_line_that_is_no_info_passes_however_many) {
  InfoSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"readyok", "option name X", "informal"}, start).lines,
              ElementsAre("readyok", "option name X", "informal"));
}

TEST(InfoSieve, time_gives_its_allowance_back) {
  InfoSieve sieve = exhausted();
  const std::vector<std::string_view> more(100, "info nodes 2");
  EXPECT_THAT(sieve.sift(more, start).lines, IsEmpty());
  EXPECT_THAT(sieve.sift(more, start + 10ms).lines, SizeIs(20));
  EXPECT_THAT(sieve.sift(more, start + 1h).lines, SizeIs(100));
}

TEST(InfoSieve, the_principal_variation_outlives_a_flood_of_currmoves) {
  InfoSieve sieve = exhausted();
  std::vector<std::string_view> lines(100, "info currmove 7g7f");
  lines.insert(lines.begin(), "info depth 5 score cp 3 pv 7g7f");
  lines.emplace_back("bestmove 7g7f");
  EXPECT_THAT(sieve.sift(lines, start).lines,
              ElementsAre("info currmove 7g7f", "info depth 5 score cp 3 pv 7g7f", "bestmove 7g7f"));
}

TEST(InfoSieve, only_the_word_pv_makes_a_principal_variation) {
  InfoSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"info multipv 2 depth 5 pv 7g7f", "info multipv 1 nodes 3",
                          "info v pv", "info depth 6 pvx 7g7f", "bestmove 7g7f"}, start).lines,
              ElementsAre("info depth 6 pvx 7g7f", "info multipv 2 depth 5 pv 7g7f", "bestmove 7g7f"));
}

}  // namespace
}  // namespace kakehashi::usi
