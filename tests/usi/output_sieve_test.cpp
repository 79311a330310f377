#include "usi/output_sieve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace kakehashi::usi {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::SizeIs;

constexpr base::SteadyTime start{};

/// A sieve whose allowance of this instant is used up.
OutputSieve exhausted() {
  OutputSieve sieve;
  const std::vector<std::string_view> burst(512, "info nodes 1");
  EXPECT_THAT(sieve.sift(burst, start).lines, SizeIs(512));
  return sieve;
}

TEST(OutputSieve, what_an_engine_usually_says_passes) {
  OutputSieve sieve;
  const auto sifted = sieve.sift({"info depth 1", "info string book", "bestmove 7g7f"}, start);
  EXPECT_THAT(sifted.lines, ElementsAre("info depth 1", "info string book", "bestmove 7g7f"));
  EXPECT_EQ(sifted.dropped, 0U);
}

TEST(OutputSieve, a_hundred_thousand_lines_become_few_and_the_last_ones_stay) {
  OutputSieve sieve;
  std::vector<std::string_view> lines(100'000, "info depth 9 currmove 7g7f");
  lines.emplace_back("info depth 10");
  lines.emplace_back("bestmove 7g7f");
  const auto sifted = sieve.sift(lines, start);
  EXPECT_THAT(sifted.lines, SizeIs(513));
  EXPECT_EQ(sifted.dropped, 100'001U - 512U);
  EXPECT_EQ(sifted.lines[511], "info depth 10");
  EXPECT_EQ(sifted.lines.back(), "bestmove 7g7f");
}

TEST(OutputSieve, what_is_held_back_goes_ahead_of_the_answer) {
  OutputSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"info pv 7g7f", "info depth 5 pv 2g2f", "info nodes 7"}, start).lines,
              IsEmpty());
  EXPECT_THAT(sieve.sift({"bestmove 2g2f"}, start).lines,
              ElementsAre("info nodes 7", "info depth 5 pv 2g2f", "bestmove 2g2f"));
}

TEST(OutputSieve, a_later_line_replaces_what_was_held_back) {
  OutputSieve sieve = exhausted();
  EXPECT_EQ(sieve.sift({"info depth 5 pv 2g2f"}, start).dropped, 0U);
  EXPECT_EQ(sieve.sift({"info depth 6 pv 2g2f"}, start).dropped, 1U);
  EXPECT_THAT(sieve.sift({"info depth 7 pv 2g2f"}, start + 1s).lines,
              ElementsAre("info depth 7 pv 2g2f"));
  EXPECT_THAT(sieve.sift({"bestmove 2g2f"}, start + 1s).lines, ElementsAre("bestmove 2g2f"));
}

TEST(OutputSieve, what_is_no_info_passes_while_infos_are_held_back) {
  OutputSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"readyok", "option name X", "informal"}, start).lines,
              ElementsAre("readyok", "option name X", "informal"));
}

TEST(OutputSieve, words_that_no_protocol_knows_become_few_and_cost_no_answer) {
  OutputSieve sieve;
  std::vector<std::string_view> lines(100'000, "debug: node 1");
  lines.emplace_back("info depth 3 pv 7g7f");
  lines.emplace_back("bestmove 7g7f");
  const auto sifted = sieve.sift(lines, start);
  EXPECT_THAT(sifted.lines, SizeIs(Lt(4'100)));
  EXPECT_EQ(sifted.left_out, lines.size() - sifted.lines.size());
  EXPECT_EQ(sifted.lines.end()[-2], "info depth 3 pv 7g7f");
  EXPECT_EQ(sifted.lines.back(), "bestmove 7g7f");
  EXPECT_THAT(sieve.sift(lines, start + 1s).lines, SizeIs(Lt(60)));
}

TEST(OutputSieve, an_answer_that_is_repeated_for_ever_becomes_few_and_each_that_is_owed_passes) {
  OutputSieve sieve;
  const std::vector<std::string_view> lines(100'000, "bestmove 7g7f");
  EXPECT_THAT(sieve.sift(lines, start).lines, SizeIs(Lt(65)));
  EXPECT_THAT(sieve.sift({"bestmove 7g7f"}, start).lines, IsEmpty());
  for (int turn = 0; turn < 10'000; ++turn) {
    sieve.asked(2);  // a position and a go
    EXPECT_THAT(sieve.sift({"bestmove 2g2f"}, start).lines, ElementsAre("bestmove 2g2f"));
  }
}

TEST(OutputSieve, no_flood_of_one_kind_costs_a_line_of_another) {
  OutputSieve sieve;
  for (const std::string_view flooding : {"bestmove 7g7f", "debug: node 1", "option name A type check", "readyok"}) {
    static_cast<void>(sieve.sift(std::vector<std::string_view>(10'000, flooding), start));
    const std::vector<std::string_view> others{"usiok", "option name B type check default true", "bestmove 2g2f", "No book"};
    sieve.asked(4);
    const auto sifted = sieve.sift(others, start);
    sieve = {};
    EXPECT_THAT(sifted.lines, SizeIs(testing::Ge(3U))) << flooding;
  }
}

TEST(OutputSieve, a_list_of_thousands_of_options_passes) {
  OutputSieve sieve;
  std::vector<std::string_view> lines(3'000, "option name Skill type spin default 20 min 0 max 20");
  lines.emplace_back("usiok");
  EXPECT_THAT(sieve.sift(lines, start).lines, SizeIs(lines.size()));
}

TEST(OutputSieve, the_last_words_of_a_flood_are_kept_for_its_end) {
  OutputSieve sieve;
  std::vector<std::string_view> lines(5'000, "debug: node 1");
  lines.emplace_back("terminate called: no evaluation file");
  EXPECT_THAT(sieve.sift(lines, start).lines, SizeIs(OutputSieve::others.at_once));
  const auto last = sieve.take_last_words();
  EXPECT_THAT(last, SizeIs(OutputSieve::last_words_max));
  EXPECT_EQ(last.back(), "terminate called: no evaluation file");
  EXPECT_THAT(sieve.take_last_words(), IsEmpty());
}

TEST(OutputSieve, what_was_left_out_before_a_later_line_passed_is_no_last_word) {
  OutputSieve sieve;
  const std::vector<std::string_view> flood(5'000, "debug: node 1");
  static_cast<void>(sieve.sift(flood, start));
  EXPECT_THAT(sieve.sift({"bye"}, start + 1s).lines, ElementsAre("bye"));
  EXPECT_THAT(sieve.take_last_words(), IsEmpty());
}

TEST(OutputSieve, long_lines_count_for_several) {
  OutputSieve sieve;
  const std::string line(60'000, 'x');
  const std::vector<std::string_view> lines(10'000, line);
  EXPECT_THAT(sieve.sift(lines, start).lines, SizeIs(Lt(80)));
}

TEST(OutputSieve, time_gives_its_allowance_back) {
  OutputSieve sieve = exhausted();
  const std::vector<std::string_view> more(100, "info nodes 2");
  EXPECT_THAT(sieve.sift(more, start).lines, IsEmpty());
  EXPECT_THAT(sieve.sift(more, start + 10ms).lines, SizeIs(20));
  EXPECT_THAT(sieve.sift(more, start + 1h).lines, SizeIs(100));
}

TEST(OutputSieve, the_principal_variation_outlives_a_flood_of_currmoves) {
  OutputSieve sieve = exhausted();
  std::vector<std::string_view> lines(100, "info currmove 7g7f");
  lines.insert(lines.begin(), "info depth 5 score cp 3 pv 7g7f");
  lines.emplace_back("bestmove 7g7f");
  EXPECT_THAT(sieve.sift(lines, start).lines,
              ElementsAre("info currmove 7g7f", "info depth 5 score cp 3 pv 7g7f", "bestmove 7g7f"));
}

TEST(OutputSieve, only_the_word_pv_makes_a_principal_variation) {
  OutputSieve sieve = exhausted();
  EXPECT_THAT(sieve.sift({"info multipv 2 depth 5 pv 7g7f", "info multipv 1 nodes 3",
                          "info v pv", "info depth 6 pvx 7g7f", "bestmove 7g7f"}, start).lines,
              ElementsAre("info depth 6 pvx 7g7f", "info multipv 2 depth 5 pv 7g7f", "bestmove 7g7f"));
}

}  // namespace
}  // namespace kakehashi::usi
