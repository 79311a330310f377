// What many games come to.
#include "games/statistics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace kakehashi::games {
namespace {

using testing::HasSubstr;

ArchivedGame game(const std::string& opponent, const std::string& outcome, bool is_black = true) {
  ArchivedGame made;
  made.opponent = opponent;
  made.outcome = outcome;
  made.is_black = is_black;
  made.clock = "300+10F";
  made.reason = outcome == "lose" ? "#TIME_UP" : "#RESIGN";
  made.plies = 100;
  made.started_ms = 1'767'322'800'000;  // Friday 2026-01-02
  return made;
}

TEST(Score, half_a_point_for_a_draw) {
  EXPECT_DOUBLE_EQ((Score{3, 1, 2, 5}).rate(), 4.0 / 6);
  EXPECT_EQ((Score{3, 1, 2, 5}).decided(), 6);
  EXPECT_EQ(Score{}.rate(), 0);
}

/// Wilson (1927); the figures of 15 of 20 and 0 of 10 stand in textbooks.
TEST(Wilson, the_interval_is_the_known_one) {
  EXPECT_NEAR(wilson({15, 5, 0, 0}).low, 0.5313, 0.0001);
  EXPECT_NEAR(wilson({15, 5, 0, 0}).high, 0.8881, 0.0001);
  EXPECT_NEAR(wilson({0, 10, 0, 0}).low, 0, 1e-9);
  EXPECT_NEAR(wilson({0, 10, 0, 0}).high, 0.2775, 0.0001);
  EXPECT_EQ(wilson({}).low, 0);
  EXPECT_EQ(wilson({}).high, 1);
}

TEST(Elo, ten_to_one_is_four_hundred) {
  EXPECT_NEAR(*elo({1000, 100, 0, 0}).estimate, 400, 0.001);
  const Elo even = elo({50, 50, 0, 0});
  EXPECT_NEAR(*even.estimate, 0, 1e-9);
  EXPECT_NEAR(*even.low, -*even.high, 1e-6);
}

TEST(Elo, who_won_all_games_has_no_upper_bound) {
  const Elo all_won = elo({10, 0, 0, 0});
  EXPECT_FALSE(all_won.estimate);
  EXPECT_FALSE(all_won.high);
  EXPECT_NEAR(*all_won.low, 166.2, 0.5);
  const Elo all_lost = elo({0, 10, 0, 0});
  EXPECT_FALSE(all_lost.low);
  EXPECT_TRUE(all_lost.high);
  EXPECT_FALSE(elo({}).low);
}

TEST(Elo, a_record_of_losses_only_is_told_as_such) {
  Statistics lost;
  lost.all = {0, 3, 0, 0};
  lost.plies = 300;
  lost.games_with_time = 1;
  lost.games_with_rescue = 1;
  lost.rescues = 2;
  lost.ponder_searches = 1;
  const std::string text = show(lost, words::Language::english);
  EXPECT_NE(text.find("-∞ (-∞ to "), std::string::npos) << text;
  EXPECT_NE(text.find("(1 game)"), std::string::npos) << text;
  EXPECT_NE(text.find("rescue moves: 2 in 1 game\n"), std::string::npos) << text;
  EXPECT_NE(text.find("pondering: 1 search, "), std::string::npos) << text;
  Statistics won;
  won.all = {3, 0, 0, 0};
  EXPECT_NE(show(won, words::Language::english).find("+∞ ("), std::string::npos) << show(won, words::Language::english);
}

TEST(Statistics, what_pondering_gained_is_measured_by_the_time_used_where_fast_moves_were_charged_nothing) {
  Statistics fast;
  fast.all = {1, 0, 0, 0};
  fast.ponder_searches = 10;
  fast.ponder_gained_ms = 1'000;
  fast.games_with_time = 1;
  fast.time.used_ms = 3'000;
  EXPECT_THAT(show(fast, words::Language::english), HasSubstr("(25.0 % of all thinking)"));
}

TEST(Weeks, a_week_belongs_to_the_year_of_its_thursday) {
  constexpr std::int64_t day_ms = 86'400'000;
  const std::int64_t new_year = 1'767'225'600'000;  // 2026-01-01, a Thursday
  EXPECT_EQ(iso_week(new_year), "2026-W01");
  EXPECT_EQ(iso_week(new_year - 3 * day_ms), "2026-W01");
  EXPECT_EQ(iso_week(new_year - 4 * day_ms), "2025-W52");
  EXPECT_EQ(iso_week(1'609'459'200'000), "2020-W53");  // 2021-01-01, a Friday
}

TEST(Statistics, games_are_counted_by_everything) {
  Statistics statistics;
  statistics.take(game("a", "win"));
  statistics.take(game("a", "lose", false));
  statistics.take(game("b", "lose"));
  statistics.take(game("b", "none"));
  EXPECT_EQ(statistics.games(), 4);
  EXPECT_EQ(statistics.by_opponent.at("a").wins, 1);
  EXPECT_EQ(statistics.by_opponent.at("b").without_result, 1);
  EXPECT_EQ(statistics.by_color.at("white").losses, 1);
  EXPECT_EQ(statistics.by_clock.at("300+10F").losses, 2);
  EXPECT_EQ(statistics.by_week.at("2026-W01").decided(), 3);
  EXPECT_EQ(statistics.reasons_of_losses.at("#TIME_UP"), 2);
  EXPECT_EQ(statistics.plies, 400);
}

TEST(Statistics, ever_new_opponents_do_not_fill_the_memory) {
  Statistics statistics;
  for (std::size_t i = 0; i < Statistics::opponents_max + 10; ++i) {
    statistics.take(game("o" + std::to_string(i), "win"));
  }
  EXPECT_EQ(statistics.by_opponent.size(), Statistics::opponents_max + 1);
  EXPECT_EQ(statistics.by_opponent.at("(others)").wins, 10);
}

TEST(Statistics, people_and_programs_read_the_same_figures) {
  Statistics statistics;
  for (int i = 0; i < 3; ++i) {
    ArchivedGame one = game("foe", i == 0 ? "lose" : "win");
    one.time = TimeUse{1'000, 990, 500, 600, 100};
    one.ponder_searches = 10;
    one.ponder_hits = 7;
    statistics.take(one);
  }
  const std::string text = show(statistics, words::Language::english);
  EXPECT_THAT(text, HasSubstr("  foe                         3      2      1      0  66.7 % (20.8 to 93.9)  +120"));
  EXPECT_THAT(text, HasSubstr("#TIME_UP"));
  EXPECT_THAT(text, HasSubstr("99.0 %"));
  EXPECT_THAT(text, HasSubstr("70.0 % hits"));
  const auto parsed = boost::json::parse(json(statistics));
  EXPECT_EQ(parsed.at("all").at("won").as_int64(), 2);
  EXPECT_EQ(parsed.at("by_opponent").at(0).at("name").as_string(), "foe");
  EXPECT_EQ(parsed.at("time").at("had_ms").as_int64(), 2'970);
  EXPECT_NEAR(parsed.at("all").at("score").as_double(), 2.0 / 3, 1e-9);
}

}  // namespace
}  // namespace kakehashi::games
