#include "csa/server/chess_clock.hpp"

#include <gtest/gtest.h>

namespace kakehashi::csa::server {
namespace {

using base::Millis;
constexpr auto black = shogi::Color::black;

ClockRules rules(const char* game_name) { return parse_game_name(game_name)->clock; }

/// What black is charged for a turn of that length; nothing: lost.
std::optional<std::int64_t> turn(ChessClock& clock, Millis length) {
  const base::SteadyTime began(Millis(5'000));
  const auto seconds = clock.judge(black, began, began + length);
  if (seconds) {
    clock.charge(black, *seconds);
  }
  return seconds;
}

TEST(ChessClock, whole_seconds_are_charged_and_fractions_are_free) {
  ChessClock clock(rules("t-60-10"));
  EXPECT_EQ(turn(clock, Millis(999)), 0);
  EXPECT_EQ(turn(clock, Millis(1'000)), 1);
  EXPECT_EQ(turn(clock, Millis(2'999)), 2);
  EXPECT_EQ(clock.main_time_s(black), 57);
  EXPECT_EQ(clock.main_time_s(shogi::Color::white), 60);
}

TEST(ChessClock, reaching_the_limit_exactly_loses) {
  ChessClock clock(rules("t-0-10"));
  EXPECT_EQ(turn(clock, Millis(9'999)), 9);
  EXPECT_EQ(turn(clock, Millis(10'000)), std::nullopt);
}

TEST(ChessClock, byoyomi_comes_on_top_of_the_main_time) {
  ChessClock clock(rules("t-5-10"));
  EXPECT_EQ(turn(clock, Millis(14'999)), 14);
  EXPECT_EQ(clock.main_time_s(black), 0);
  EXPECT_EQ(turn(clock, Millis(10'000)), std::nullopt);
}

TEST(ChessClock, the_increment_counts_for_the_move_that_is_played) {
  ChessClock clock(rules("t-2-2F"));
  EXPECT_EQ(turn(clock, Millis(4'000)), std::nullopt);
  EXPECT_EQ(turn(clock, Millis(3'999)), 3);
  EXPECT_EQ(clock.main_time_s(black), 1);  // 2 + 2 - 3
  EXPECT_EQ(turn(clock, Millis(2'999)), 2);
  EXPECT_EQ(clock.main_time_s(black), 1);
  EXPECT_EQ(turn(clock, Millis(3'000)), std::nullopt);
}

TEST(ChessClock, without_byoyomi_the_main_time_is_all) {
  ChessClock clock(rules("t-3-0"));
  EXPECT_EQ(turn(clock, Millis(2'000)), 2);
  EXPECT_EQ(turn(clock, Millis(1'000)), std::nullopt);
}

TEST(ChessClock, all_zero_is_untimed) {
  ChessClock clock(rules("t-0-0"));
  EXPECT_EQ(turn(clock, std::chrono::hours(30)), 108'000);
  EXPECT_EQ(clock.expiry(black, {}), std::nullopt);
}

TEST(ChessClock, a_least_time_is_charged_and_can_lose) {
  auto least = rules("t-3-0");
  least.least_time_s = 2;
  ChessClock clock(least);
  EXPECT_EQ(turn(clock, Millis(10)), 2);
  EXPECT_EQ(clock.main_time_s(black), 1);
  EXPECT_EQ(turn(clock, Millis(10)), std::nullopt);
  EXPECT_EQ(clock.expiry(black, {}), base::SteadyTime());
}

TEST(ChessClock, a_stop_watch_charges_whole_slices) {
  ChessClock clock(rules("t-120-060"));
  EXPECT_EQ(turn(clock, Millis(59'999)), 0);
  EXPECT_EQ(turn(clock, Millis(60'000)), 60);
  EXPECT_EQ(clock.main_time_s(black), 60);
  EXPECT_EQ(turn(clock, Millis(59'999)), 0);
  EXPECT_EQ(turn(clock, Millis(60'000)), std::nullopt);
}

TEST(ChessClock, a_clock_that_seems_to_run_backwards_charges_nothing) {
  ChessClock clock(rules("t-60-10"));
  EXPECT_EQ(turn(clock, Millis(-5'000)), 0);
}

TEST(ChessClock, expiry_is_the_first_instant_that_loses) {
  for (const char* name : {"t-60-10", "t-0-2", "t-2-2F", "t-7-0", "t-100-060", "t-120-060"}) {
    const ChessClock clock(rules(name));
    const base::SteadyTime began(Millis(123));
    const auto expiry = clock.expiry(black, began);
    ASSERT_TRUE(expiry) << name;
    EXPECT_FALSE(clock.judge(black, began, *expiry)) << name;
    EXPECT_TRUE(clock.judge(black, began, *expiry - Millis(1))) << name;
  }
}

}  // namespace
}  // namespace kakehashi::csa::server
