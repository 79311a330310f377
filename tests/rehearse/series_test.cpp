// Which game comes next, and what they come to.
#include "rehearse/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/rehearsal_show.hpp"

namespace kakehashi::rehearse {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SeriesRules rules(int games, std::size_t starts = 1) {
  SeriesRules made;
  made.games = games;
  made.starts = starts;
  return made;
}

SeriesResult result(int number, csa::Outcome outcome, std::uint64_t moves = 0) {
  return {number, outcome, "toryo", 80, moves == 0 ? static_cast<std::uint64_t>(number) : moves};
}

TEST(Series, each_start_is_played_with_both_colors_and_behind_the_last_the_first_again) {
  Series series(rules(6, 2));
  EXPECT_EQ(series.begin_next(), (SeriesGame{1, true, 0}));
  EXPECT_EQ(series.begin_next(), (SeriesGame{2, false, 0}));
  EXPECT_EQ(series.begin_next(), (SeriesGame{3, true, 1}));
  EXPECT_EQ(series.begin_next(), (SeriesGame{4, false, 1}));
  EXPECT_EQ(series.begin_next(), (SeriesGame{5, true, 0}));
  EXPECT_EQ(series.begin_next(), (SeriesGame{6, false, 0}));
  EXPECT_FALSE(series.begin_next());
}

TEST(Series, a_pair_counts_when_both_of_its_games_are_played_in_whatever_order_they_end) {
  Series series(rules(8));
  for (const auto& [number, outcome] : {std::pair{2, csa::Outcome::win}, std::pair{3, csa::Outcome::draw},
                                        std::pair{4, csa::Outcome::lose}, std::pair{5, csa::Outcome::lose}}) {
    EXPECT_TRUE(series.take(result(number, outcome)));
  }
  EXPECT_THAT(series.pairs(), ElementsAre(0, 1, 0, 0, 0));
  EXPECT_TRUE(series.take(result(1, csa::Outcome::win)));
  EXPECT_TRUE(series.take(result(6, csa::Outcome::draw)));
  EXPECT_THAT(series.pairs(), ElementsAre(0, 2, 0, 0, 1));
  EXPECT_EQ(series.count(csa::Outcome::win), 2);
  EXPECT_EQ(series.played(), 6);
  EXPECT_EQ(series.begin_next(), (SeriesGame{7, true, 0}));
}

TEST(Series, what_earlier_runs_played_is_not_played_again) {
  Series series(rules(4));
  EXPECT_TRUE(series.take(result(1, csa::Outcome::win)));
  EXPECT_TRUE(series.take(result(3, csa::Outcome::lose)));
  EXPECT_EQ(series.begin_next()->number, 2);
  EXPECT_EQ(series.begin_next()->number, 4);
  EXPECT_FALSE(series.begin_next());
}

TEST(Series, a_game_counts_once_and_one_without_a_result_not_at_all) {
  Series series(rules(2));
  EXPECT_FALSE(series.take(result(1, csa::Outcome::none)));
  EXPECT_TRUE(series.take(result(1, csa::Outcome::win)));
  EXPECT_FALSE(series.take(result(1, csa::Outcome::lose)));
  EXPECT_EQ(series.played(), 1);
  EXPECT_FALSE(series.is_over());
}

TEST(Series, the_test_ends_it_when_it_has_its_answer) {
  auto tested = rules(100'000);
  tested.sprt = SprtRules{0, 200};
  Series series(tested);
  int number = 0;
  while (series.begin_next()) {
    series.take(result(++number, csa::Outcome::win));
  }
  EXPECT_EQ(series.answer(), SprtAnswer::h1);
  EXPECT_TRUE(series.is_over());
  EXPECT_LT(number, 40);
  EXPECT_EQ(number % 2, 0) << "only a whole pair says something";
}

std::vector<std::string> summary_of(const Series& series) {
  std::vector<std::string> lines;
  for (const auto& [about, text] : cli::summary_lines(series, {"alice", "bob"})) {
    lines.push_back(words::labelled(words::Language::english, about, text, cli::label_columns));
  }
  return lines;
}

TEST(Series, a_game_that_comes_again_is_noticed) {
  Series series(rules(4));
  series.take(result(1, csa::Outcome::win, 77));
  series.take(result(2, csa::Outcome::lose, 78));
  EXPECT_THAT(summary_of(series), Not(testing::Contains(HasSubstr("warning"))));
  series.take(result(3, csa::Outcome::win, 77));
  EXPECT_EQ(series.repeated(), 1);
  EXPECT_THAT(summary_of(series),
              testing::Contains("warning  1 game had the moves of an earlier one and tell nothing new, although they are "
                                "counted: give more start positions (--openings)"));
}

TEST(SeriesShow, it_tells_how_it_stands_and_how_sure_that_is) {
  auto tested = rules(400, 200);
  tested.sprt = SprtRules{0, 5};
  Series series(tested);
  EXPECT_THAT(summary_of(series),
              ElementsAre("games    0 of at most 400: alice 0, bob 0, drawn 0",
                          "SPRT     LLR 0.00 (-2.94 to +2.94), 0 against 5 Elo: no answer yet"));
  int number = 0;
  // 3, 10, 20, 15, 7: one of the tables of sprt_test.cpp.
  const std::array<std::pair<csa::Outcome, csa::Outcome>, 5> pairs{
      std::pair{csa::Outcome::lose, csa::Outcome::lose}, std::pair{csa::Outcome::lose, csa::Outcome::draw},
      std::pair{csa::Outcome::win, csa::Outcome::lose}, std::pair{csa::Outcome::draw, csa::Outcome::win},
      std::pair{csa::Outcome::win, csa::Outcome::win}};
  const std::array<int, 5> times{3, 10, 20, 15, 7};
  for (std::size_t kind = 0; kind < pairs.size(); ++kind) {
    for (int i = 0; i < times[kind]; ++i) {
      series.take(result(++number, pairs[kind].first));
      series.take(result(++number, pairs[kind].second));
    }
  }
  EXPECT_THAT(summary_of(series),
              ElementsAre("games    110 of at most 400: alice 49, bob 36, drawn 25",
                          "pairs    0 to 2 points for alice: 3, 10, 20, 15, 7",
                          "Elo      +41.3 (95 %: -8.3 to +90.8); alice is the stronger one with 94.8 % (LOS)",
                          "SPRT     LLR +0.30 (-2.94 to +2.94), 0 against 5 Elo: no answer yet",
                          "ended    alice won: toryo 49", "ended    bob won: toryo 36", "ended    drawn: toryo 25"));
  EXPECT_EQ(cli::progress_line(series, base::Millis{125'000}),
            "110 games: +49 =25 -36, pairs 3, 10, 20, 15, 7, Elo +41.3 (-8.3 to +90.8), LOS 94.8 %, LLR +0.30 (-2.94 to "
            "+2.94), about 2 min 5 s left");
}

}  // namespace
}  // namespace kakehashi::rehearse
