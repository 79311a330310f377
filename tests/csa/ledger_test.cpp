#include "csa/ledger.hpp"

#include <gtest/gtest.h>

namespace kakehashi::csa {
namespace {

using base::Millis;
using shogi::Color;
using namespace std::chrono_literals;

TimeControls both(TimeControl control) { return {control, control}; }

// Conformance case 30, reference 3.8.
TEST(Ledger, an_increment_is_credited_with_the_move_and_counts_from_the_first_turn) {
  Ledger ledger(both({.total = 300s, .increment = 10s}));
  EXPECT_EQ(ledger.budget(Color::black), Millis{310s}) << "the first turn has its increment";
  ledger.charge(Color::black, 4s);
  EXPECT_EQ(ledger.main_time(Color::black), 306s);
  EXPECT_EQ(ledger.main_time(Color::white), 300s);
}

// Conformance case 68.
TEST(Ledger, a_byoyomi_move_may_exceed_the_main_time_which_stops_at_zero) {
  Ledger ledger(both({.total = 5s, .byoyomi = 10s}));
  EXPECT_EQ(ledger.budget(Color::white), Millis{15s});
  ledger.charge(Color::white, 9s);
  EXPECT_EQ(ledger.main_time(Color::white), 0s);
  EXPECT_EQ(ledger.budget(Color::white), Millis{10s});
}

// Conformance case 67.
TEST(Ledger, with_no_main_time_left_the_increment_is_the_budget) {
  Ledger ledger(both({.total = 0s, .increment = 10s}));
  EXPECT_EQ(ledger.budget(Color::black), Millis{10s});
  ledger.charge(Color::black, 9s);
  EXPECT_EQ(ledger.main_time(Color::black), 1s);
}

TEST(Ledger, sides_may_have_different_clocks) {
  Ledger ledger({{.total = 60s, .byoyomi = 5s}, {.total = 30s, .increment = 2s}});
  EXPECT_EQ(ledger.budget(Color::black), Millis{65s});
  EXPECT_EQ(ledger.budget(Color::white), Millis{32s});
}

// Conformance case 14.
TEST(Ledger, a_game_without_a_clock_has_no_budget) {
  Ledger ledger(both({}));
  ledger.charge(Color::black, 100s);
  EXPECT_EQ(ledger.budget(Color::black), std::nullopt);
  EXPECT_TRUE(TimeControl{.total = 0s}.is_untimed());
}

TEST(Ledger, byoyomi_without_a_main_time_is_the_whole_budget) {
  EXPECT_EQ(Ledger(both({.byoyomi = 30s})).budget(Color::black), Millis{30s});
}

TEST(Ledger, the_slice_of_a_stop_watch_is_no_extra_time) {
  Ledger ledger(both({.total = 900s, .byoyomi = 60s, .is_stop_watch = true}));
  EXPECT_EQ(ledger.budget(Color::black), Millis{900s});
  ledger.charge(Color::black, 60s);
  EXPECT_EQ(ledger.budget(Color::black), Millis{840s});
}

TEST(Ledger, is_capped_at_the_total_of_each_side) {
  Ledger ledger(both({.total = 60s, .increment = 10s}));
  ledger.charge(Color::black, 1s);
  ledger.charge(Color::white, 15s);
  ledger.cap_at_total();
  EXPECT_EQ(ledger.main_time(Color::black), 60s);
  EXPECT_EQ(ledger.main_time(Color::white), 55s);
}

TEST(Ledger, listed_times_that_leave_nothing_were_not_charged) {
  Ledger sudden_death(both({.total = 30s}));
  sudden_death.charge(Color::black, 20s);
  sudden_death.charge(Color::black, 10s);
  sudden_death.charge(Color::white, 29s);
  sudden_death.cap_at_total();
  EXPECT_EQ(sudden_death.budget(Color::black), Millis{30s});
  EXPECT_EQ(sudden_death.budget(Color::white), Millis{1s});
  Ledger byoyomi(both({.total = 30s, .byoyomi = 10s}));
  byoyomi.charge(Color::black, 40s);
  byoyomi.cap_at_total();
  EXPECT_EQ(byoyomi.budget(Color::black), Millis{10s});
}

TEST(Ledger, absurd_times_do_not_break_it) {
  Ledger ledger(both({.total = 10s, .increment = 1s}));
  ledger.charge(Color::black, Millis::max());
  EXPECT_EQ(ledger.main_time(Color::black), 0s);
  ledger.charge(Color::white, -5s);
  EXPECT_EQ(ledger.main_time(Color::white), 11s);
}

}  // namespace
}  // namespace kakehashi::csa
