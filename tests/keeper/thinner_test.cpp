#include "keeper/thinner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kakehashi::keeper {
namespace {

using base::Millis;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr base::SteadyTime start{std::chrono::hours{1}};

TEST(Thinner, of_one_kind_the_last_line_waits_for_the_pause) {
  Thinner thinner;
  EXPECT_THAT(thinner.take("info depth 1 pv 7g7f", start), ElementsAre("info depth 1 pv 7g7f"));
  EXPECT_THAT(thinner.take("info depth 2 pv 7g7f", start + Millis{10}), IsEmpty());
  EXPECT_THAT(thinner.take("info depth 3 pv 2g2f", start + Millis{20}), IsEmpty());
  EXPECT_EQ(thinner.deadline(), start + Thinner::pause);
  EXPECT_THAT(thinner.due(start + Thinner::pause - Millis{1}), IsEmpty());
  EXPECT_THAT(thinner.due(start + Thinner::pause), ElementsAre("info depth 3 pv 2g2f"));
  EXPECT_EQ(thinner.deadline(), std::nullopt);
}

TEST(Thinner, an_answer_goes_through_at_once_behind_all_that_waits) {
  Thinner thinner;
  EXPECT_THAT(thinner.take("info depth 1 multipv 1 pv 7g7f", start), ElementsAre("info depth 1 multipv 1 pv 7g7f"));
  EXPECT_THAT(thinner.take("info depth 1 multipv 2 pv 2g2f", start), ElementsAre("info depth 1 multipv 2 pv 2g2f"));
  EXPECT_THAT(thinner.take("info depth 2 multipv 2 pv 2g2f", start), IsEmpty());
  EXPECT_THAT(thinner.take("info depth 2 multipv 1 pv 7g7f", start), IsEmpty());
  EXPECT_THAT(thinner.take("bestmove 7g7f", start),
              ElementsAre("info depth 2 multipv 2 pv 2g2f", "info depth 2 multipv 1 pv 7g7f", "bestmove 7g7f"));
}

TEST(Thinner, a_flood_passes_ten_lines_a_second_and_ends_with_its_last_line) {
  Thinner thinner;
  std::size_t passed = 0;
  for (int i = 0; i < 10'000; ++i) {
    passed += thinner.take("info depth 9 pv " + std::to_string(i), start + Millis{i / 10}).size();
  }
  EXPECT_EQ(passed, 10U);
  EXPECT_THAT(thinner.take("bestmove 7g7f", start + Millis{1000}),
              ElementsAre("info depth 9 pv 9999", "bestmove 7g7f"));
}

TEST(Thinner, kinds_without_end_take_no_memory_without_end) {
  Thinner thinner;
  std::size_t passed = 0;
  for (int i = 0; i < 1000; ++i) {
    passed += thinner.take("info multipv " + std::to_string(i) + " pv 7g7f", start).size();
  }
  EXPECT_EQ(passed, Thinner::kinds_max + 1);
  EXPECT_EQ(thinner.take("bestmove 7g7f", start).size(), 2U);
}

TEST(Thinner, kinds_that_are_over_make_room) {
  Thinner thinner;
  for (std::size_t i = 0; i < Thinner::kinds_max; ++i) {
    static_cast<void>(thinner.take("info multipv " + std::to_string(i + 10) + " pv 7g7f", start));
  }
  EXPECT_EQ(thinner.take("info multipv 1 pv 7g7f", start + Thinner::pause).size(), 1U);
  EXPECT_EQ(thinner.take("info multipv 2 pv 7g7f", start + Thinner::pause).size(), 1U);
}

TEST(Thinner, bounds_strings_and_counters_are_kinds_of_their_own) {
  EXPECT_EQ(kind_of_info("info depth 3 score cp 1 pv 7g7f"), "1 pv");
  EXPECT_EQ(kind_of_info("info depth 3 multipv 2 score cp 1 pv 7g7f"), "2 pv");
  EXPECT_EQ(kind_of_info("info depth 3 score cp 1 lowerbound pv 7g7f"), "1 lowerbound");
  EXPECT_EQ(kind_of_info("info string a pv of words"), "string");
  EXPECT_EQ(kind_of_info("info currmove 7g7f"), "currmove");
  EXPECT_EQ(kind_of_info("info nodes 12 nps 3"), "other");
  EXPECT_EQ(kind_of_info("info"), "other");
}

}  // namespace
}  // namespace kakehashi::keeper
