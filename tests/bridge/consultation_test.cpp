#include "bridge/game/consultation.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/bridge/noon.hpp"

namespace kakehashi::bridge {
namespace {

using config::TeamPlay;
using Seat = Consultation::Seat;

/// All members are asked, and say what they are told to.
class Panel {
 public:
  explicit Panel(TeamPlay play, std::vector<int> weights = {100, 100, 100}, bool may_resign = true)
      : held(play, weights, may_resign) {
    for (Seat seat = 0; seat < weights.size(); ++seat) {
      held.ask(seat, usi::SearchId{seat + 1}, noon);
    }
  }
  void scores(Seat seat, usi::Score score) {
    usi::Info info;
    info.score = score;
    held.on_info(seat, {usi::SearchId{seat + 1}, info});
  }
  /// Whose answer is the team's behind that, if anybody's yet.
  std::optional<Seat> says(Seat seat, const char* move) {
    held.say(seat, {move, "", move});
    return held.decided();
  }

  Consultation held;
};

TEST(Majority, is_known_as_soon_as_the_rest_cannot_overturn_it) {
  Panel panel(TeamPlay::majority);
  EXPECT_EQ(panel.says(2, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.says(1, "7g7f"), 1U) << "of two alike the first";
  EXPECT_TRUE(panel.held.is_awaited(0));
}

TEST(Majority, goes_by_the_sum_of_weights) {
  Panel panel(TeamPlay::majority, {150, 100, 60});
  EXPECT_EQ(panel.says(0, "2g2f"), std::nullopt);
  EXPECT_EQ(panel.says(1, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.says(2, "7g7f"), 1U);
}

TEST(Majority, of_two_alike_is_that_of_the_heaviest_member) {
  Panel panel(TeamPlay::majority, {50, 100, 50});
  EXPECT_EQ(panel.says(0, "2g2f"), std::nullopt);
  EXPECT_EQ(panel.says(2, "2g2f"), std::nullopt) << "100 may still be said against 100";
  EXPECT_EQ(panel.says(1, "7g7f"), 1U);
}

TEST(Majority, is_known_where_the_rest_could_only_draw_level_and_have_not_the_say) {
  Panel first(TeamPlay::majority, {100, 100});
  EXPECT_EQ(first.says(0, "7g7f"), 0U) << "of two alike it is the first one's";
  Panel second(TeamPlay::majority, {100, 100});
  EXPECT_EQ(second.says(1, "7g7f"), std::nullopt) << "the first one may still have the say";
  Panel split(TeamPlay::majority, {100, 100, 100, 100});
  EXPECT_EQ(split.says(1, "2g2f"), std::nullopt);
  EXPECT_EQ(split.says(0, "7g7f"), std::nullopt);
  EXPECT_EQ(split.says(2, "7g7f"), 0U) << "two against two at most";
}

TEST(Majority, waits_where_the_rest_may_agree_on_another_move) {
  Panel panel(TeamPlay::majority, {100, 100, 100, 100, 100});
  EXPECT_EQ(panel.says(0, "2g2f"), std::nullopt);
  EXPECT_EQ(panel.says(1, "2g2f"), std::nullopt) << "three are left";
  panel.held.lose(4);
  EXPECT_EQ(panel.held.decided(), 0U);
}

TEST(Majority, resigns_only_by_the_most_weight) {
  Panel panel(TeamPlay::majority);
  EXPECT_EQ(panel.says(0, "resign"), std::nullopt);
  EXPECT_EQ(panel.says(1, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.says(2, "7g7f"), 1U);

  Panel other(TeamPlay::majority);
  EXPECT_EQ(other.says(0, "resign"), std::nullopt);
  EXPECT_EQ(other.says(1, "resign"), 0U);
}

TEST(Consultation, does_not_count_a_resignation_that_the_settings_forbid) {
  for (const TeamPlay play : {TeamPlay::majority, TeamPlay::optimist, TeamPlay::first_with_advice}) {
    Panel panel(play, {300, 100, 100}, false);
    EXPECT_EQ(panel.says(0, "resign"), std::nullopt);
    panel.held.lose(1);
    EXPECT_EQ(panel.says(2, "7g7f"), 2U);
    Panel all(play, {100, 100}, false);
    EXPECT_EQ(all.says(0, "resign"), std::nullopt);
    EXPECT_EQ(all.says(1, "resign"), 0U) << "what becomes of it is the turn's to say";
  }
}

TEST(Consultation, does_not_resign_as_long_as_another_may_say_a_move) {
  for (const TeamPlay play : {TeamPlay::majority, TeamPlay::optimist, TeamPlay::first_with_advice}) {
    Panel panel(play, {100, 100});
    EXPECT_EQ(panel.says(1, "resign"), std::nullopt);
    EXPECT_FALSE(panel.held.has_move());
    EXPECT_EQ(panel.held.choose(), std::nullopt) << "if the time were over";
    panel.held.lose(0);
    EXPECT_EQ(panel.held.decided(), 1U);
    EXPECT_EQ(panel.held.choose(), 1U);
  }
  Panel heavy(TeamPlay::majority, {100, 150, 60});
  EXPECT_EQ(heavy.says(1, "resign"), std::nullopt) << "the other two may agree on a move";
  EXPECT_EQ(heavy.says(2, "7g7f"), std::nullopt);
  EXPECT_EQ(heavy.held.choose(), 2U) << "if the time were over";
  EXPECT_EQ(heavy.says(0, "2g2f"), 1U);
}

TEST(Consultation, takes_a_declared_win_from_anybody) {
  for (const TeamPlay play : {TeamPlay::majority, TeamPlay::optimist, TeamPlay::first_with_advice}) {
    Panel panel(play);
    static_cast<void>(panel.says(1, "7g7f"));
    EXPECT_EQ(panel.says(2, "win"), 2U);
  }
}

TEST(Optimist, takes_the_best_score_when_all_have_answered) {
  Panel panel(TeamPlay::optimist);
  panel.scores(0, {.value = 900});
  panel.scores(1, {.is_mate = true, .value = 7});
  panel.scores(2, {.is_mate = true, .value = 3});
  EXPECT_EQ(panel.says(2, "2g2f"), std::nullopt);
  EXPECT_EQ(panel.says(0, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.says(1, "7g7f"), 2U) << "the shorter mate";
}

TEST(Optimist, takes_any_score_before_a_mate_against_us_and_that_before_none) {
  Panel panel(TeamPlay::optimist);
  panel.scores(0, {.is_mate = true, .value = -8, .mate_is_lost = true});
  panel.scores(2, {.value = -2500});
  static_cast<void>(panel.says(0, "2g2f"));
  static_cast<void>(panel.says(1, "4g4f"));
  EXPECT_EQ(panel.held.choose(), 0U);
  EXPECT_EQ(panel.says(2, "7g7f"), 2U);
}

TEST(Optimist, takes_a_mate_of_untold_length_for_a_long_one_and_none_for_a_short_one) {
  Panel panel(TeamPlay::optimist, {100, 100, 100});
  panel.scores(0, {.is_mate = true, .value = 0});
  panel.scores(1, {.is_mate = true, .value = 3});
  panel.scores(2, {.is_mate = true, .value = std::numeric_limits<std::int64_t>::min(), .mate_is_lost = true});
  static_cast<void>(panel.says(0, "2g2f"));
  static_cast<void>(panel.says(2, "4g4f"));
  EXPECT_EQ(panel.held.choose(), 0U);
  EXPECT_EQ(panel.says(1, "7g7f"), 1U);
}

TEST(Optimist, goes_by_weight_and_then_by_place_where_scores_are_alike) {
  Panel panel(TeamPlay::optimist, {100, 120, 120});
  static_cast<void>(panel.says(0, "2g2f"));
  static_cast<void>(panel.says(2, "4g4f"));
  EXPECT_EQ(panel.says(1, "7g7f"), 1U);
}

TEST(Optimist, resigns_only_when_all_do) {
  Panel panel(TeamPlay::optimist, {100, 100});
  panel.scores(0, {.value = 500});
  EXPECT_EQ(panel.says(0, "resign"), std::nullopt);
  EXPECT_EQ(panel.says(1, "7g7f"), 1U);
}

TEST(FirstWithAdvice, ends_the_turn_with_the_main_engine_s_answer) {
  Panel panel(TeamPlay::first_with_advice, {100, 500, 500});
  EXPECT_EQ(panel.says(1, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.says(2, "7g7f"), std::nullopt);
  EXPECT_EQ(panel.held.choose(), 1U) << "if the time were over";
  EXPECT_EQ(panel.says(0, "2g2f"), 0U);
}

TEST(FirstWithAdvice, gives_the_say_to_the_heaviest_when_the_main_engine_is_lost) {
  Panel panel(TeamPlay::first_with_advice, {100, 50, 80});
  EXPECT_EQ(panel.says(1, "7g7f"), std::nullopt);
  panel.held.lose(0);
  EXPECT_EQ(panel.held.decided(), std::nullopt) << "the heavier one may still answer";
  EXPECT_EQ(panel.says(2, "2g2f"), 2U);
}

TEST(Consultation, keeps_what_a_member_said_that_is_lost_afterwards) {
  Panel panel(TeamPlay::majority, {100, 100});
  static_cast<void>(panel.says(0, "7g7f"));
  panel.held.lose(0);
  panel.held.lose(1);
  EXPECT_EQ(panel.held.decided(), 0U);
}

TEST(Consultation, has_nothing_to_say_when_nobody_has) {
  Panel panel(TeamPlay::majority, {100, 100});
  panel.held.lose(0);
  panel.held.lose(1);
  EXPECT_EQ(panel.held.decided(), std::nullopt);
  EXPECT_EQ(panel.held.choose(), std::nullopt);
  EXPECT_FALSE(panel.held.is_awaiting());
}

TEST(Consultation, listens_to_no_line_of_another_search) {
  Panel panel(TeamPlay::optimist, {100, 100});
  usi::Info info;
  info.score = usi::Score{.value = 5'000};
  panel.held.on_info(0, {usi::SearchId{77}, info});
  panel.scores(1, {.value = 1});
  static_cast<void>(panel.says(0, "2g2f"));
  EXPECT_EQ(panel.says(1, "7g7f"), 1U);
}

TEST(Consultation, knows_who_is_to_be_told_next_to_answer) {
  Consultation held(TeamPlay::majority, {100, 100, 100}, true);
  held.ask(0, usi::SearchId{1}, std::nullopt);
  EXPECT_FALSE(held.is_shared());
  held.ask(1, usi::SearchId{1}, noon + base::Millis{20});
  held.ask(2, usi::SearchId{1}, noon + base::Millis{10});
  held.ask(2, usi::SearchId{2}, noon + base::Millis{15});
  EXPECT_TRUE(held.is_shared());
  EXPECT_EQ(held.next_stop(), noon + base::Millis{15});
  held.note_stopped(2);
  EXPECT_EQ(held.next_stop(), noon + base::Millis{20});
  held.say(1, {"7g7f", "", "+7776FU"});
  EXPECT_EQ(held.next_stop(), std::nullopt);
}

}  // namespace
}  // namespace kakehashi::bridge
