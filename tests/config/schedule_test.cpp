// The keys of the schedule and of our own accounts, windows and zones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/io/load_files.hpp"
#include "config/schedule.hpp"
#include "config/schema/plain_settings.hpp"
#include "config/yaml/load_yaml.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using std::chrono::hours;

base::WallTime date(int year, unsigned month, unsigned day_of_month) {
  using namespace std::chrono;
  return sys_days{std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day_of_month}};
}

Loaded load(const std::string& more, const std::string& account = "mybot") {
  return load_yaml({{"bot.yaml", "server: {host: example.org}\naccount: {name: " + account +
                                     ", password_env: P}\nengine: {command: engine}\n" + more}});
}

TEST(ScheduleKeys, are_read_from_a_list_or_from_one_text) {
  const Loaded list = load("schedule:\n  windows:\n    - mon-fri 20:00-23:25\n    - sat,sun 09:55-24:00\n"
                           "  time_zone: Asia/Tokyo\n  early: 2min\n");
  ASSERT_THAT(list.problems, IsEmpty());
  const Schedule& schedule = list.bots.front().schedule;
  EXPECT_THAT(schedule.windows, ElementsAre("mon-fri 20:00-23:25", "sat,sun 09:55-24:00"));
  EXPECT_EQ(schedule.time_zone, "Asia/Tokyo");
  EXPECT_EQ(schedule.early, base::Millis{120'000});
  const Loaded one = load("schedule: {windows: 20:00-06:30}\n");
  ASSERT_THAT(one.problems, IsEmpty());
  EXPECT_THAT(one.bots.front().schedule.windows, ElementsAre("20:00-06:30"));
}

TEST(ScheduleKeys, what_is_no_window_and_no_zone_is_refused_by_name) {
  for (const char* bad : {"20:00", "20:00-20:00", "25:00-26:00", "24:00-03:00", "mo 20:00-21:00",
                          "mon- 20:00-21:00", "mon 20:00-21:00 UTC", "''"}) {
    const Loaded loaded = load(std::string("schedule:\n  windows:\n    - ") + bad + "\n");
    ASSERT_EQ(loaded.problems.size(), 1U) << bad;
    EXPECT_THAT(describe(loaded.problems.front()), HasSubstr("bot.yaml:6")) << bad;
    EXPECT_THAT(describe(loaded.problems.front()), HasSubstr("is no window")) << bad;
  }
  EXPECT_EQ(load("schedule: {windows: [1:00-2:00]}\n").problems.size(), 1U);
  EXPECT_EQ(load("schedule: {windows: {a: b}}\n").problems.size(), 1U);
  EXPECT_EQ(load("schedule: {windows: [01:00-02:00, 01:00-02:00]}\n").problems.size(), 1U);
  EXPECT_EQ(load("schedule: {time_zone: ../etc/passwd}\n").problems.size(), 1U);
}

TEST(ScheduleKeys, survive_a_journal_with_their_offsets) {
  BotConfig bot = load("schedule: {windows: 20:00-23:00}\ngame: {own_accounts: [a, b]}\n").bots.front();
  bot.schedule.offsets = {{0, hours{1}}, {1774746000, hours{2}}};
  BotConfig again;
  for (const PlainSetting& setting : plain_settings(bot)) {
    EXPECT_TRUE(apply(setting, again)) << setting.key;
  }
  EXPECT_EQ(again.schedule.windows, bot.schedule.windows);
  EXPECT_EQ(again.schedule.offsets, bot.schedule.offsets);
  EXPECT_EQ(again.game.own_accounts, bot.game.own_accounts);
}

TEST(OwnAccounts, are_the_configured_ones_and_the_others_of_the_process_on_that_server) {
  const std::string engine = "engine: {command: engine}\n";
  const Loaded loaded = load_yaml(
      {{"a.yaml", "server: {host: one.org}\naccount: {name: a, password_env: P}\ngame: {own_accounts: z}\n" + engine},
       {"b.yaml", "server: {host: ONE.org}\naccount: {name: b, password_env: P}\n" + engine},
       {"c.yaml", "server: {host: two.org}\naccount: {name: c, password_env: P}\n" + engine}});
  ASSERT_THAT(loaded.problems, IsEmpty());
  EXPECT_THAT(loaded.bots[0].game.own_accounts, ElementsAre("z", "b"));
  EXPECT_THAT(loaded.bots[1].game.own_accounts, ElementsAre("a"));
  EXPECT_THAT(loaded.bots[2].game.own_accounts, IsEmpty());
}

TEST(TimeZone, an_offset_needs_no_file) {
  EXPECT_EQ(parse_fixed_zone("UTC"), std::chrono::seconds{0});
  EXPECT_EQ(parse_fixed_zone("+09:00"), hours{9});
  EXPECT_EQ(parse_fixed_zone("-03:30"), -std::chrono::minutes{210});
  for (const char* none : {"", "9:00", "+9", "+19:00", "Asia/Tokyo", "+aa:bb"}) {
    EXPECT_EQ(parse_fixed_zone(none), std::nullopt) << none;
  }
}

TEST(TimeZone, summer_times_come_from_the_systems_table) {
  const auto berlin = config::io::read_zone("Europe/Berlin", date(2026, 1, 1));
  ASSERT_TRUE(berlin) << berlin.error().what;
  EXPECT_EQ(offset_at(*berlin, date(2026, 1, 5)), hours{1});
  EXPECT_EQ(offset_at(*berlin, date(2026, 3, 29) + std::chrono::minutes{59}), hours{1});
  EXPECT_EQ(offset_at(*berlin, date(2026, 3, 29) + hours{1}), hours{2});
  EXPECT_EQ(offset_at(*berlin, date(2026, 12, 1)), hours{1});
  const auto tokyo = config::io::read_zone("Asia/Tokyo", date(2026, 1, 1));
  ASSERT_TRUE(tokyo) << tokyo.error().what;
  EXPECT_EQ(offset_at(*tokyo, date(2030, 7, 1)), hours{9});
}

TEST(TimeZone, a_zone_that_is_not_there_is_told_with_a_way_out) {
  const auto none = config::io::read_zone("Mars/Olympus_Mons", date(2026, 1, 1));
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("tzdata"));
}

TEST(TimeZone, bytes_that_are_no_zone_file_are_refused) {
  const base::WallTime now = date(2026, 1, 1);
  std::string head = "TZif2" + std::string(39, '\0');
  EXPECT_FALSE(read_zone_file("", now));
  EXPECT_FALSE(read_zone_file("not a zone", now));
  EXPECT_FALSE(read_zone_file(head, now));
  EXPECT_FALSE(read_zone_file(head + head, now));
  head[23] = '\x7F';
  EXPECT_FALSE(read_zone_file(head + head, now));
}

TEST(TimeZone, a_table_that_ends_where_summer_times_go_on_by_a_rule_is_refused) {
  // One type and no change, as `zic -b slim` may write it.
  std::string head = "TZif2" + std::string(39, '\0');
  head[39] = 1;  // types
  head[43] = 1;  // letters
  const std::string body(7, '\0');
  EXPECT_TRUE(read_zone_file(head + body + head + body + "\nJST-9\n", date(2026, 1, 1)));
  EXPECT_FALSE(read_zone_file(head + body + head + body + "\nCET-1CEST,M3.5.0,M10.5.0/3\n", date(2026, 1, 1)));
}

}  // namespace
}  // namespace kakehashi::config
