#include "config/game_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using testing::ElementsAre;
using testing::Pair;

BotConfig with_rules(const std::string& rules) {
  const auto loaded = load_text(yaml_of({"engine.options: {Threads: 4, Hash: 16}"}) + "rules:\n" + rules);
  EXPECT_THAT(texts(loaded.problems), ElementsAre());
  return loaded.bots.at(0);
}

TEST(GameSettings, come_from_the_rules_in_the_written_order_and_the_last_word_counts) {
  const BotConfig bot = with_rules(R"(
  - when: {game_name: floodgate-*}
    set: {ponder: on, time: {margin: 2s}}
  - when: {clock: {increment: 1s-}}
    set: {ponder: early, game: {resign: {score: 3000, moves: 5}}}
  - when: {opponent: rival}
    set: {ponder: off}
)");

  const GameSettings chosen = choose_settings(bot, facts_of_name("floodgate-300-10F"));

  EXPECT_THAT(chosen.applied, ElementsAre(0, 1));
  EXPECT_EQ(chosen.bot.ponder, Ponder::early);
  EXPECT_EQ(chosen.bot.time.margin, Millis{2'000});
  EXPECT_EQ(chosen.bot.game.resign.by, Resign::By::score);
  EXPECT_EQ(bot.ponder, Ponder::off);
}

TEST(GameSettings, put_an_option_in_its_place_and_a_new_one_behind) {
  const BotConfig bot = with_rules(R"(
  - set: {engine: {options: {Level: 3, Threads: 8}}}
)");

  EXPECT_THAT(choose_settings(bot, {}).bot.engine.options,
              ElementsAre(Pair("Threads", "8"), Pair("Hash", "16"), Pair("Level", "3")));
}

TEST(GameSettings, keep_what_a_rule_sets_repeatedly) {
  const BotConfig bot = with_rules(R"(
  - set: {engine: {options: [{Clear: }, {Hash: 32}, {Clear: }]}}
)");

  EXPECT_THAT(choose_settings(bot, {}).bot.engine.options,
              ElementsAre(Pair("Threads", "4"), Pair("Hash", "32"), Pair("Clear", std::nullopt),
                          Pair("Clear", std::nullopt)));
}

TEST(GameSettings, are_told_as_a_file_writes_them) {
  const BotConfig bot = with_rules(R"(
  - when: {opponent: [rival, "*_gpu"], time_of_day: 20:00-06:30}
    set:
      ponder: off
      time: {margin: 1.5s, margin_max: 4s}
      game: {resign: never}
      engine: {options: {Threads: 8}}
)");

  EXPECT_EQ(describe_when(bot.rules.at(0)), "opponent rival or *_gpu, time_of_day 20:00-06:30");
  EXPECT_EQ(describe_set(bot.rules.at(0)),
            "ponder: off, time.margin: 1.5s, time.margin_max: 4s, game.resign: never, "
            "engine.options: {Threads: 8}");
  EXPECT_EQ(spell_rule(bot.rules.at(0)),
            "{when: {opponent: [rival, *_gpu], time_of_day: [20:00-06:30]}, set: {" +
                describe_set(bot.rules.at(0)) + "}}");
}

TEST(GameFacts, come_from_a_name_and_from_a_game_id) {
  const GameFacts facts = facts_of_name("floodgate-300-10F");
  EXPECT_EQ(facts.total, Millis{300'000});
  EXPECT_EQ(facts.byoyomi, Millis{0});
  EXPECT_EQ(facts.increment, Millis{10'000});
  EXPECT_FALSE(facts_of_name("any").total);

  EXPECT_EQ(game_name_in("wdoor+floodgate-300-10F+a+b+20260102030405"), "floodgate-300-10F");
  EXPECT_EQ(game_name_in("20260102-a-b"), "");
  EXPECT_EQ(game_name_in("wdoor+x+y"), "");
}

std::vector<std::string> faults_of(const std::string& rules) {
  return texts(load_text(yaml_of({}) + "rules: " + rules + "\n").problems);
}

TEST(SettingRules, name_what_is_wrong_and_what_to_write) {
  EXPECT_THAT(faults_of("{ponder: off}"),
              ElementsAre("rules: must be a list of at most 100 items, not a map (accepted: {when: {…}, set: {…}}, at most 100)"));
  EXPECT_THAT(faults_of("[{when: {game_name: a}}]"),
              ElementsAre("rules[1].set: must be given: what the rule sets, as in {ponder: off}"));
  EXPECT_THAT(faults_of("[{when: {oponent: a}, set: {ponder: off}}]"),
              ElementsAre("rules[1].when.oponent: is nothing that a rule can look at; did you mean "
                          "opponent?"));
  EXPECT_THAT(faults_of("[{set: {ponder: off}}, {when: {clock: {total: 10}}, set: {ponder: off}}]"),
              ElementsAre("rules[2].when.clock.total: must be a duration such as 10s, or a range of "
                          "them such as 1min-10min, 10min- or -10min, not \"10\""));
  EXPECT_THAT(faults_of("[{set: {pondr: off}}]"),
              ElementsAre("rules[1].set.pondr: is nothing that a rule can set; did you mean ponder?"));
  EXPECT_THAT(faults_of("[{set: {ponder: maybe}}]"),
              ElementsAre("ponder: must be off, on or early, not \"maybe\""));
  EXPECT_THAT(faults_of("[{set: {engine: {options: {USI_Ponder: true}}}}]"),
              ElementsAre("rules[1].set.engine.options.USI_Ponder: is set from ponder; write ponder: "
                          "on or off in its place"));
  EXPECT_THAT(faults_of("[{set: {ponder: off}, then: 1}]"),
              ElementsAre("rules[1].then: is no part of a rule; a rule has when and set"));
  EXPECT_THAT(faults_of("[off]"),
              ElementsAre("rules[1]: must be a map, not \"off\""));
  EXPECT_THAT(faults_of("[{when: {opponent: []}, set: {ponder: off}}]"),
              ElementsAre("rules[1].when.opponent: must be one text, or a list of 1 to 100"));
}

TEST(SettingRules, must_fit_the_rest_of_the_file) {
  EXPECT_THAT(faults_of("[{set: {time: {margin_min: 5s}}}]"),
              ElementsAre("rules[1].set: makes time.margin_min (5s) more than time.margin_max (3s); "
                          "set the other bound too"));
}

TEST(SettingRules, cannot_change_what_is_settled_before_a_game_is_offered) {
  EXPECT_THAT(faults_of("[{set: {server: {host: other}}}]"),
              ElementsAre(testing::StartsWith("rules[1].set.server.host: is nothing that a rule can set")));
}

TEST(SettingRules, know_their_line_and_take_both_spellings_of_colour) {
  for (const char* const word : {"color", "colour"}) {
    const auto loaded = load_text(yaml_of({}) + "rules:\n  - when: {" + word + ": black}\n    set: {ponder: off}\n");

    ASSERT_THAT(texts(loaded.problems), ElementsAre());
    EXPECT_EQ(loaded.bots.at(0).rules.at(0).when.at(0), (Condition{Aspect::color, {"black"}}));
    EXPECT_GT(loaded.bots.at(0).rules.at(0).line, 1);
  }
}

}  // namespace
}  // namespace kakehashi::config
