// The team: further engines beside the first, from their texts to what is started and on which processors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bridge/engine_seats.hpp"
#include "config/schema/plain_settings.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string file(const std::string& engine, const std::string& rest = "ponder: true\n") {
  return "server: {host: csa.example}\naccount: {name: mybot, password_env: TRIP}\ngame: {name: floodgate-300-10F}\n" +
         rest + "engine:\n  command: [/opt/first]\n  options: {Threads: 8}\n" + engine;
}

std::string problem_of(const std::string& engine, const std::string& rest = "ponder: true\n") {
  const Loaded loaded = load_text(file(engine, rest));
  return loaded.problems.empty() ? "" : describe(loaded.problems.front()).english();
}

TEST(Team, is_a_list_of_engines_that_take_from_the_first_what_they_do_not_say) {
  const Loaded loaded = load_text(file(R"(  team_play: multi_ponder
  team:
    - {name: second, weight: 50, options: {Threads: 4}}
    - command: [/opt/other, --quiet]
      host: gpu2
      protocol: uci
)"));
  ASSERT_THAT(loaded.problems, IsEmpty()) << describe(loaded.problems.front()).english();
  const auto seats = bridge::seats_of(loaded.bots.at(0).engine);
  ASSERT_EQ(seats.size(), 3U);
  EXPECT_EQ(seats[1].name, "second");
  EXPECT_EQ(seats[1].weight, 50);
  EXPECT_THAT(seats[1].engine.command, ElementsAre("/opt/first"));
  EXPECT_EQ(seats[1].engine.options.front().second, "4");
  EXPECT_EQ(seats[2].name, "3");
  EXPECT_EQ(seats[2].weight, 100);
  EXPECT_THAT(seats[2].engine.command, ElementsAre("/opt/other", "--quiet"));
  EXPECT_THAT(seats[2].engine.host, ElementsAre("gpu2"));
  EXPECT_THAT(seats[2].engine.options, IsEmpty());
  EXPECT_EQ(seats[2].engine.protocol, usi::Protocol::uci);
  EXPECT_THAT(seats[2].engine.team, IsEmpty());
}

TEST(Team, a_seat_that_nobody_has_any_more_has_the_settings_of_the_first_engine) {
  const Loaded loaded = load_text(file("  team_play: multi_ponder\n  team: [{options: {Threads: 4}}]\n"));
  ASSERT_THAT(loaded.problems, IsEmpty()) << describe(loaded.problems.front()).english();
  const Engine& first = loaded.bots.at(0).engine;
  EXPECT_EQ(bridge::engine_in_seat(first, {1, 7}).options.front().second, "4");
  EXPECT_EQ(bridge::engine_in_seat(first, {2, 7}).options.front().second, "8");
}

TEST(Team, is_told_to_a_journal_and_back_without_its_secrets) {
  const Loaded loaded = load_text(file(R"(  team:
    - {name: second, options: {Threads: 4, Clear: }, environment: {CUDA_VISIBLE_DEVICES: "1"}}
    - {weight: 7}
)"));
  ASSERT_THAT(loaded.problems, IsEmpty());
  BotConfig back;
  for (const PlainSetting& setting : plain_settings(loaded.bots.at(0))) {
    EXPECT_TRUE(apply(setting, back)) << setting.key;
  }
  EXPECT_EQ(plain_settings(back), plain_settings(loaded.bots.at(0)));
  ASSERT_EQ(back.engine.team.size(), 2U);
  EXPECT_EQ(back.engine.team[0].name, "second");
  EXPECT_EQ(back.engine.team[0].options.size(), 2U);
  EXPECT_EQ(back.engine.team[0].environment.front().second, masked_secret);
  EXPECT_EQ(back.engine.team[1].weight, 7);
}

TEST(Team, says_what_is_wrong_with_it_and_where) {
  EXPECT_THAT(problem_of("  team: {name: second}\n"), HasSubstr("engine.team: must be a list of at most 15 items"));
  EXPECT_THAT(problem_of("  team: [second]\n"), HasSubstr("engine.team[1]: must be a map"));
  EXPECT_THAT(problem_of("  team:\n    - {wieght: 5}\n"),
              HasSubstr(":9:8: engine.team[1].wieght: is no setting of a member; did you mean weight?"));
  EXPECT_THAT(problem_of("  team: [{weight: 0}]\n"), HasSubstr("engine.team[1].weight: must be a whole number from 1"));
  EXPECT_THAT(problem_of("  team: [{name: a}, {name: a}]\n"), HasSubstr("engine.team[2].name: is the name of engine.team[1] too"));
  EXPECT_THAT(problem_of("  team: [{name: a, name: b}]\n"), HasSubstr("is given twice"));
  EXPECT_THAT(problem_of("  team: [{options: [1]}]\n"), HasSubstr("engine.team[1].options: each item of the list"));
  EXPECT_THAT(problem_of("  team: [{host: gpu, cpus: 0-3}]\n"), HasSubstr("engine.team[1].cpus: does not reach the machine"));
  EXPECT_THAT(problem_of("  standby: true\n  team: [{name: a}]\n"), HasSubstr("engine.standby: has no place beside engine.team"));
  EXPECT_THAT(problem_of("  team_play: multi_ponder\n"), HasSubstr("engine.team_play: needs a team"));
  EXPECT_THAT(problem_of("  team_play: multi_ponder\n  team: [{name: a}]\n", ""), HasSubstr("needs ponder: on, or early"));
  std::string many = "  team:\n";
  for (int i = 0; i < 16; ++i) {
    many += "    - {weight: 5}\n";
  }
  EXPECT_THAT(problem_of(many), HasSubstr("engine.team: must be a list of at most 15 items, not 16"));
  EXPECT_THAT(problem_of("  team: [{name: ''}]\n"),
              HasSubstr("engine.team[1].name: must not be empty; without the key its number in the team is used"));
}

TEST(Team, that_cannot_be_read_is_not_said_to_be_missing) {
  std::string many = "  team_play: majority\n  team:\n";
  for (int i = 0; i < 16; ++i) {
    many += "    - {weight: 5}\n";
  }
  for (const std::string& wrong : {many, std::string("  team_play: majority\n  team: {name: second}\n")}) {
    EXPECT_EQ(load_text(file(wrong)).problems.size(), 1U);
    EXPECT_THAT(problem_of(wrong), HasSubstr("engine.team: must be a list"));
  }
  EXPECT_THAT(problem_of("  team_play: majority\n  team: []\n"), HasSubstr("engine.team_play: needs a team"));
}

TEST(Team, no_two_engines_have_the_same_name_whether_it_is_written_or_not) {
  EXPECT_THAT(problem_of("  team: [{name: '3'}, {weight: 5}]\n"),
              HasSubstr("engine.team[1].name: is what engine.team[2] is called, which has no name"));
  EXPECT_THAT(problem_of("  team: [{weight: 5}, {name: '2'}]\n"),
              HasSubstr("engine.team[2].name: is what engine.team[1] is called, which has no name"));
  EXPECT_THAT(problem_of("  team: [{name: engine}]\n"), HasSubstr("engine.team[1].name: is the name of the main engine"));
  EXPECT_THAT(load_text(file("  team: [{name: '2'}, {weight: 5}, {name: '5'}]\n")).problems, IsEmpty());
}

// --- processors

std::vector<std::string> shares(const std::string& engine, int processors) {
  std::vector<int> available;
  for (int cpu = 0; cpu < processors; ++cpu) {
    available.push_back(cpu);
  }
  const Loaded loaded = load_text(file(engine));
  EXPECT_THAT(loaded.problems, IsEmpty());
  return bridge::shares_of_cpus(loaded.bots.at(0).engine, available);
}

TEST(SharesOfCpus, are_disjoint_and_go_by_threads) {
  EXPECT_THAT(shares("  team_play: multi_ponder\n  team: [{name: a}]\n", 4), ElementsAre("0,1", "2,3"));
  EXPECT_THAT(shares("  team_play: multi_ponder\n  team: [{options: {Threads: 4}}, {options: {Threads: 4}}]\n", 7),
              ElementsAre("0,1,2", "3,4", "5,6"));
}

TEST(SharesOfCpus, leave_out_engines_elsewhere_and_what_is_given_to_one_by_name) {
  EXPECT_THAT(shares("  limits: {cpus: 0-5}\n  team_play: multi_ponder\n"
                     "  team: [{name: a}, {name: b, cpus: 0-1}, {host: gpu}]\n", 8),
              ElementsAre("2,3", "4,5", "", ""));
}

TEST(SharesOfCpus, are_none_where_only_one_thinks_or_there_are_too_few) {
  EXPECT_THAT(shares("  team: [{name: a}]\n", 4), ElementsAre("", ""));
  EXPECT_THAT(shares("  team_play: multi_ponder\n  team: [{name: a}, {name: b}]\n", 2), ElementsAre("", "", ""));
}

}  // namespace
}  // namespace kakehashi::config
