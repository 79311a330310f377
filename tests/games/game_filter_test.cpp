// Which games are wanted, as people say it.
#include "games/game_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kakehashi::games {
namespace {

using testing::HasSubstr;

constexpr std::int64_t now_ms = 1'767'322'800'000;  // 2026-01-02 03:00 UTC

TEST(GameFilter, dates_times_and_spans_are_instants) {
  EXPECT_EQ(parse_instant("1970-01-02", now_ms), 86'400'000);
  EXPECT_EQ(parse_instant("2026-01-02T03:00", now_ms), now_ms);
  EXPECT_EQ(parse_instant("2d", now_ms), now_ms - 2 * 86'400'000);
  EXPECT_EQ(parse_instant("3h", now_ms), now_ms - 3 * 3'600'000);
  for (const char* text : {"", "d", "-1d", "99999999999d", "2026-13-01", "2026-02-30", "2026-1-2",
                           "2026-01-02T24:00", "2026-01-02T0x:00", "yesterday", "2026/01/02"}) {
    EXPECT_FALSE(parse_instant(text, now_ms)) << text;
  }
}

TEST(GameFilter, an_address_holds_conditions) {
  const auto filter =
      parse_query("opponent=a%2Bb+c&color=white&result=lose&since=1d&limit=7&bot=&before=12", now_ms);
  ASSERT_TRUE(filter) << filter.error();
  EXPECT_EQ(filter->opponent, "a+b c");
  EXPECT_EQ(filter->is_black, false);
  EXPECT_EQ(filter->outcome, "lose");
  EXPECT_EQ(filter->since_ms, now_ms - 86'400'000);
  EXPECT_EQ(filter->limit, 7);
  EXPECT_EQ(filter->before_id, 12);
  EXPECT_EQ(filter->bot, "");
}

TEST(GameFilter, what_is_not_understood_is_said) {
  const auto why = [](const char* query) {
    const auto filter = parse_query(query, now_ms);
    return filter ? std::string("understood") : filter.error().english();
  };
  EXPECT_THAT(why("result=lost"), HasSubstr("win, lose, draw or none"));
  EXPECT_THAT(why("color=red"), HasSubstr("black or white"));
  EXPECT_THAT(why("since=x"), HasSubstr("2026-01-31"));
  EXPECT_THAT(why("limit=100000"), HasSubstr("1000"));
  EXPECT_THAT(why("before=0"), HasSubstr("whole number"));
  EXPECT_THAT(why("drop=table"), HasSubstr("no condition"));
  EXPECT_THAT(why(("opponent=" + std::string(2000, 'x')).c_str()), HasSubstr("too long"));
}

}  // namespace
}  // namespace kakehashi::games
