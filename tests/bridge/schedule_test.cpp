// The hours of play: windows, days, zones with summer time, and when what changes.
#include "bridge/bot/schedule.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

/// In the week of Monday, 5 January 2026: days after it, and the time of day in UTC.
base::WallTime at(int day, int hour, int minute = 0) {
  using namespace std::chrono;
  return sys_days{year{2026} / 1 / 5} + days{day} + hours{hour} + minutes{minute};
}

Schedule schedule(std::vector<std::string> windows, std::string zone = "UTC",
                  base::Millis early = base::Millis{0}) {
  config::Schedule told;
  told.windows = std::move(windows);
  told.time_zone = std::move(zone);
  told.early = early;
  return Schedule(told);
}

TEST(Schedule, without_windows_the_bot_plays_at_any_time) {
  const Schedule always = schedule({});
  EXPECT_FALSE(always.has_windows());
  EXPECT_TRUE(always.is_open(at(0, 3)));
}

TEST(Schedule, a_window_is_open_from_its_first_minute_to_before_its_last) {
  const Schedule evenings = schedule({"20:00-23:30"});
  EXPECT_FALSE(evenings.is_open(at(0, 19, 59)));
  EXPECT_TRUE(evenings.is_open(at(0, 20)));
  EXPECT_TRUE(evenings.is_open(at(0, 23, 29)));
  EXPECT_FALSE(evenings.is_open(at(0, 23, 30)));
  EXPECT_EQ(evenings.next_change(at(0, 12)), at(0, 20));
  EXPECT_EQ(evenings.next_change(at(0, 20)), at(0, 23, 30));
  EXPECT_EQ(evenings.next_change(at(0, 23, 30)), at(1, 20));
}

TEST(Schedule, the_bot_is_logged_in_before_the_window_opens) {
  const Schedule evenings = schedule({"20:00-23:30"}, "UTC", minutes{5});
  EXPECT_FALSE(evenings.is_open(at(0, 19, 54)));
  EXPECT_TRUE(evenings.is_open(at(0, 19, 55)));
  EXPECT_EQ(evenings.next_change(at(0, 12)), at(0, 19, 55));
}

TEST(Schedule, a_window_over_midnight_belongs_to_the_day_on_which_it_opens) {
  const Schedule fridays = schedule({"fri 22:00-06:00"});
  EXPECT_FALSE(fridays.is_open(at(4, 5)));
  EXPECT_TRUE(fridays.is_open(at(4, 23)));
  EXPECT_TRUE(fridays.is_open(at(5, 5, 59)));
  EXPECT_FALSE(fridays.is_open(at(5, 6)));
  EXPECT_EQ(fridays.next_change(at(5, 6)), at(11, 22));
}

TEST(Schedule, days_are_lists_and_ranges_that_may_pass_the_weeks_end) {
  const Schedule some = schedule({"mon,wed-thu 10:00-11:00", "sat-mon 20:00-24:00"});
  EXPECT_TRUE(some.is_open(at(0, 10)));
  EXPECT_FALSE(some.is_open(at(1, 10)));
  EXPECT_TRUE(some.is_open(at(2, 10)));
  EXPECT_TRUE(some.is_open(at(3, 10)));
  EXPECT_FALSE(some.is_open(at(4, 10)));
  EXPECT_TRUE(some.is_open(at(5, 20)));
  EXPECT_TRUE(some.is_open(at(6, 23, 59)));
  EXPECT_TRUE(some.is_open(at(7, 20)));
  EXPECT_FALSE(some.is_open(at(8, 20)));
}

TEST(Schedule, windows_that_touch_are_one) {
  const Schedule two = schedule({"20:00-22:00", "22:00-23:00", "21:00-22:30"});
  EXPECT_EQ(two.next_change(at(0, 20)), at(0, 23));
  EXPECT_EQ(schedule({"00:00-24:00"}).next_change(at(0, 20)), std::nullopt);
}

TEST(Schedule, a_zone_shifts_windows_and_their_days) {
  const Schedule tokyo = schedule({"tue 08:00-09:00"}, "+09:00");
  EXPECT_FALSE(tokyo.is_open(at(1, 8)));
  EXPECT_TRUE(tokyo.is_open(at(0, 23)));
  EXPECT_EQ(tokyo.describe(at(0, 23)), "Tue 08:00");
}

TEST(Schedule, summer_time_moves_the_window_in_utc_and_not_on_the_clock) {
  using namespace std::chrono;
  config::Schedule told;
  told.windows = {"20:00-23:00"};
  told.early = base::Millis{0};
  const sys_seconds spring = sys_days{year{2026} / 3 / 29} + hours{1};
  told.offsets = {{0, hours{1}}, {spring.time_since_epoch().count(), hours{2}}};
  const Schedule berlin(told);
  const base::WallTime day_before = sys_days{year{2026} / 3 / 28};
  EXPECT_EQ(berlin.next_change(day_before), day_before + hours{19});
  EXPECT_EQ(berlin.next_change(day_before + hours{22}), day_before + hours{24 + 18});
}

}  // namespace
}  // namespace kakehashi::bridge
