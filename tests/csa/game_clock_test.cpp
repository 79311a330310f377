#include "csa/game_clock.hpp"

#include <gtest/gtest.h>

namespace kakehashi::csa {
namespace {

using base::Millis;
using shogi::Color;
using namespace std::chrono_literals;

TimeControls both(TimeControl control) { return {control, control}; }

// Conformance case 30, reference 3.8.
TEST(GameClock, an_increment_is_credited_with_the_move_and_counts_from_the_first_turn) {
  GameClock game_clock(both({.total = 300s, .increment = 10s}));
  EXPECT_EQ(game_clock.budget(Color::black), Millis{310s}) << "the first turn has its increment";
  game_clock.charge(Color::black, 4s);
  EXPECT_EQ(game_clock.main_time(Color::black), 306s);
  EXPECT_EQ(game_clock.main_time(Color::white), 300s);
}

// Conformance case 68.
TEST(GameClock, a_byoyomi_move_may_exceed_the_main_time_which_stops_at_zero) {
  GameClock game_clock(both({.total = 5s, .byoyomi = 10s}));
  EXPECT_EQ(game_clock.budget(Color::white), Millis{15s});
  game_clock.charge(Color::white, 9s);
  EXPECT_EQ(game_clock.main_time(Color::white), 0s);
  EXPECT_EQ(game_clock.budget(Color::white), Millis{10s});
}

// Conformance case 67.
TEST(GameClock, with_no_main_time_left_the_increment_is_the_budget) {
  GameClock game_clock(both({.total = 0s, .increment = 10s}));
  EXPECT_EQ(game_clock.budget(Color::black), Millis{10s});
  game_clock.charge(Color::black, 9s);
  EXPECT_EQ(game_clock.main_time(Color::black), 1s);
}

TEST(GameClock, sides_may_have_different_clocks) {
  GameClock game_clock({{.total = 60s, .byoyomi = 5s}, {.total = 30s, .increment = 2s}});
  EXPECT_EQ(game_clock.budget(Color::black), Millis{65s});
  EXPECT_EQ(game_clock.budget(Color::white), Millis{32s});
}

// Conformance case 14.
TEST(GameClock, a_game_without_a_clock_has_no_budget) {
  GameClock game_clock(both({}));
  game_clock.charge(Color::black, 100s);
  EXPECT_EQ(game_clock.budget(Color::black), std::nullopt);
  EXPECT_TRUE(TimeControl{.total = 0s}.is_untimed());
}

TEST(GameClock, byoyomi_without_a_main_time_is_the_whole_budget) {
  EXPECT_EQ(GameClock(both({.byoyomi = 30s})).budget(Color::black), Millis{30s});
}

TEST(GameClock, the_slice_of_a_stop_watch_is_no_extra_time) {
  GameClock game_clock(both({.total = 900s, .byoyomi = 60s, .is_stop_watch = true}));
  EXPECT_EQ(game_clock.budget(Color::black), Millis{900s});
  game_clock.charge(Color::black, 60s);
  EXPECT_EQ(game_clock.budget(Color::black), Millis{840s});
}

TEST(GameClock, is_capped_at_the_total_of_each_side) {
  GameClock game_clock(both({.total = 60s, .increment = 10s}));
  game_clock.charge(Color::black, 1s);
  game_clock.charge(Color::white, 15s);
  game_clock.cap_at_total();
  EXPECT_EQ(game_clock.main_time(Color::black), 60s);
  EXPECT_EQ(game_clock.main_time(Color::white), 55s);
}

TEST(GameClock, listed_times_that_leave_nothing_were_not_charged) {
  GameClock sudden_death(both({.total = 30s}));
  sudden_death.charge(Color::black, 20s);
  sudden_death.charge(Color::black, 10s);
  sudden_death.charge(Color::white, 29s);
  sudden_death.cap_at_total();
  EXPECT_EQ(sudden_death.budget(Color::black), Millis{30s});
  EXPECT_EQ(sudden_death.budget(Color::white), Millis{1s});
  GameClock byoyomi(both({.total = 30s, .byoyomi = 10s}));
  byoyomi.charge(Color::black, 40s);
  byoyomi.cap_at_total();
  EXPECT_EQ(byoyomi.budget(Color::black), Millis{10s});
}

TEST(GameClock, absurd_times_do_not_break_it) {
  GameClock game_clock(both({.total = 10s, .increment = 1s}));
  game_clock.charge(Color::black, Millis::max());
  EXPECT_EQ(game_clock.main_time(Color::black), 0s);
  game_clock.charge(Color::white, -5s);
  EXPECT_EQ(game_clock.main_time(Color::white), 11s);
}

}  // namespace
}  // namespace kakehashi::csa
