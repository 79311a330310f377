#include "config/setting_rule.hpp"

#include <gtest/gtest.h>

namespace kakehashi::config {
namespace {

using base::Millis;

SettingRule rule(Aspect aspect, std::vector<std::string> texts) {
  SettingRule made;
  made.when.push_back({aspect, std::move(texts)});
  return made;
}

bool applies(Aspect aspect, const char* text, const GameFacts& facts) {
  return !why_not(rule(aspect, {text}), facts);
}

TEST(Pattern, stands_for_any_text_by_a_star_and_any_byte_by_a_question_mark) {
  EXPECT_TRUE(fits("floodgate-*", "floodgate-300-10F"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("*_gpu*", "my_gp_gpu4"));
  EXPECT_TRUE(fits("a?c", "abc"));
  EXPECT_TRUE(fits("a*b*c", "a1b2b3c"));
  EXPECT_FALSE(fits("floodgate-*", "Floodgate-300-10F"));
  EXPECT_FALSE(fits("a?c", "ac"));
  EXPECT_FALSE(fits("abc", "abcd"));
  EXPECT_FALSE(fits("", "a"));
}

TEST(Pattern, with_many_stars_takes_no_more_than_text_times_pattern) {
  const std::string text(4'000, 'a');

  EXPECT_FALSE(fits("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

TEST(SettingRule, without_conditions_always_applies) {
  EXPECT_EQ(why_not(SettingRule{}, GameFacts{}), std::nullopt);
  EXPECT_EQ(describe_when(SettingRule{}), "always");
}

TEST(SettingRule, looks_at_the_clock_by_ranges_that_hold_both_ends) {
  GameFacts facts;
  facts.total = Millis{60'000};

  for (const char* text : {"60s", "1min-", "-1min", "30s-1min", "1min-2min", "0s-"}) {
    EXPECT_TRUE(applies(Aspect::total, text, facts)) << text;
  }
  for (const char* text : {"61s", "61s-", "-59s", "30s-59s"}) {
    EXPECT_FALSE(applies(Aspect::total, text, facts)) << text;
  }
}

TEST(SettingRule, takes_the_time_of_day_across_midnight) {
  GameFacts facts;
  const auto at = [&](int minute) {
    facts.minute_of_day = minute;
    return applies(Aspect::time_of_day, "20:00-06:30", facts);
  };

  EXPECT_TRUE(at(20 * 60));
  EXPECT_TRUE(at(23 * 60 + 59));
  EXPECT_TRUE(at(0));
  EXPECT_TRUE(at(6 * 60 + 29));
  EXPECT_FALSE(at(6 * 60 + 30));
  EXPECT_FALSE(at(19 * 60 + 59));
  EXPECT_TRUE(applies(Aspect::time_of_day, "00:00-24:00", facts));
}

TEST(SettingRule, applies_when_all_conditions_hold_each_by_one_of_its_texts) {
  SettingRule both = rule(Aspect::opponent, {"rival", "*_gpu"});
  both.when.push_back({Aspect::color, {"white"}});
  GameFacts facts;
  facts.opponent = "big_gpu";
  facts.color = shogi::Color::white;
  EXPECT_EQ(why_not(both, facts), std::nullopt);

  facts.color = shogi::Color::black;
  EXPECT_EQ(why_not(both, facts), "color is black, not white");

  facts.opponent = "someone";
  EXPECT_EQ(why_not(both, facts), "opponent is \"someone\", not rival or *_gpu");
}

TEST(SettingRule, does_not_apply_by_what_is_not_known) {
  EXPECT_EQ(why_not(rule(Aspect::opponent, {"*"}), GameFacts{}), "opponent is not known");
  EXPECT_EQ(why_not(rule(Aspect::increment, {"0s-"}), GameFacts{}), "clock.increment is not known");
}

TEST(SettingRule, names_what_is_wrong_with_a_condition) {
  EXPECT_EQ(judge_condition(Aspect::color, "red"), "must be black or white, not \"red\"");
  for (const char* text : {"20:00", "8-9", "25:00-26:00", "20:60-21:00", "20:00-20:00", "", "aa:bb-cc:dd"}) {
    EXPECT_TRUE(judge_condition(Aspect::time_of_day, text)) << text;
  }
  for (const char* text : {"10", "2min-1min", "-", "10s-x", "fast", "-5"}) {
    EXPECT_TRUE(judge_condition(Aspect::total, text)) << text;
  }
  EXPECT_FALSE(judge_condition(Aspect::total, "10s - 1min"));
}

}  // namespace
}  // namespace kakehashi::config
