// Which options of an engine say the rules of a game.
#include "bridge/engine/game_rules.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge {
namespace {

usi::Option declared(const char* line) { return *usi::parse_option(line); }

std::vector<usi::OptionSetting> settings_for(const GameRules& rules,
                                             const std::vector<usi::Option>& options) {
  std::vector<usi::OptionSetting> settings;
  for (const RuleOption& option : rule_options(rules, options)) {
    settings.push_back(option.setting);
  }
  return settings;
}

const std::vector<usi::Option> yaneuraou{
    declared("name MaxMovesToDraw type spin default 0 min 0 max 100000"),
    declared("name EnteringKingRule type combo default CSARule27 var NoEnteringKing var CSARule24 "
             "var CSARule24H var CSARule27 var CSARule27H var TryRule")};

const std::vector<usi::Option> rounding{
    declared("name NetworkDelay type spin default 120 min 0 max 10000"),
    declared("name RoundUpToFullSecond type check default true")};

csa::GameSummary with_unit(base::Millis unit) {
  csa::GameSummary summary;
  summary.our_color = shogi::Color::white;
  summary.times.white.byoyomi = base::Millis{10'000};
  summary.times.white.unit = unit;
  return summary;
}

TEST(GameRules, leave_the_rounding_of_time_to_the_engine_unless_asked) {
  EXPECT_TRUE(settings_for(GameRules{std::nullopt, "CSARule27"}, rounding).empty());
}

TEST(GameRules, round_thinking_up_to_the_seconds_that_the_server_counts_less_the_way) {
  GameRules rules{std::nullopt, "CSARule27"};
  rules.round_up = round_up_for(with_unit(base::Millis{1'000}), base::Millis{31});

  EXPECT_EQ(settings_for(rules, rounding),
            (std::vector<usi::OptionSetting>{{"RoundUpToFullSecond", "true"}, {"NetworkDelay", "100"}}));
  EXPECT_EQ(round_up_for(with_unit(base::Millis{1'000}), base::Millis{0}).reserve, base::Millis{50});
  EXPECT_EQ(round_up_for(with_unit(base::Millis{1'000}), base::Millis{250}).reserve, base::Millis{300});
}

TEST(GameRules, round_nothing_up_where_each_millisecond_or_each_begun_second_counts) {
  GameRules rules{std::nullopt, "CSARule27"};
  rules.round_up = round_up_for(with_unit(base::Millis{1}), base::Millis{31});
  EXPECT_EQ(settings_for(rules, rounding),
            (std::vector<usi::OptionSetting>{{"RoundUpToFullSecond", "false"}}));

  csa::GameSummary summary = with_unit(base::Millis{1'000});
  summary.times.white.rounds_up = true;
  EXPECT_FALSE(round_up_for(summary, base::Millis{31}).is_on);
}

TEST(GameRules, come_from_the_summary) {
  csa::GameSummary summary;
  summary.max_moves = 256;
  summary.declaration = "Jishogi 1.1";
  EXPECT_EQ(rules_of(summary), (GameRules{256, "CSARule27"}));
}

TEST(GameRules, without_a_declaration_the_king_enters_for_nothing) {
  EXPECT_EQ(rules_of(csa::GameSummary{}), (GameRules{std::nullopt, "NoEnteringKing"}));
}

TEST(GameRules, an_announced_entering_king_rule_comes_before_the_declaration) {
  csa::GameSummary summary;
  summary.declaration = "Jishogi 1.1";
  summary.entering_king_rule = "CSARule24";
  EXPECT_EQ(rules_of(summary).entering_king, "CSARule24");
}

TEST(RuleOptions, are_those_the_engine_declares) {
  EXPECT_EQ(settings_for({256, "CSARule27"}, yaneuraou),
            (std::vector<usi::OptionSetting>{{"MaxMovesToDraw", "256"},
                                             {"EnteringKingRule", "CSARule27"}}));
  EXPECT_EQ(settings_for({256, "CSARule27"},
                         {declared("name Draw_Ply type spin default 0 min 0 max 1000")}),
            (std::vector<usi::OptionSetting>{{"Draw_Ply", "256"}}));
  EXPECT_TRUE(settings_for({256, "CSARule27"}, {declared("name Threads type spin default 1")})
                  .empty());
}

TEST(RuleOptions, fall_back_to_the_engines_own_default_without_a_limit) {
  const std::vector<usi::Option> old{
      declared("name MaxMovesToDraw type spin default 100000 min 1 max 100000")};
  EXPECT_EQ(settings_for({std::nullopt, "CSARule27"}, old),
            (std::vector<usi::OptionSetting>{{"MaxMovesToDraw", "100000"}}));
}

TEST(RuleOptions, leave_out_what_the_engine_does_not_accept) {
  const std::vector<usi::Option> small{
      declared("name MaxMovesToDraw type spin default 100 min 1 max 200"),
      declared("name EnteringKingRule type combo default CSARule24 var CSARule24")};
  EXPECT_TRUE(settings_for({256, "CSARule27"}, small).empty());
}

}  // namespace
}  // namespace kakehashi::bridge
