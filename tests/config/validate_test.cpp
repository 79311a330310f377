#include "config/schema/validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string no_password = "account.password_env: -";

TEST(PasswordSource, floodgate_needs_a_trip) {
  EXPECT_THAT(faults({no_password, "game.name: floodgate-300-10F"}),
              ElementsAre("account: floodgate pairs only players with a trip, a secret word of your "
                          "own choice: give one by account.password_file, account.password_env or "
                          "account.password_credential"));
}

TEST(PasswordSource, without_a_game_name_there_is_nothing_else_to_log_in_with) {
  EXPECT_THAT(faults({no_password}),
              ElementsAre("account: a password must be given by account.password_file, "
                          "account.password_env or account.password_credential, or game.name on a "
                          "server without passwords"));
}

TEST(PasswordSource, a_private_game_can_do_without) {
  EXPECT_THAT(faults({no_password, "game.name: mytest-60-5F"}), IsEmpty());
}

TEST(PasswordSource, is_exactly_one) {
  EXPECT_THAT(faults({"account.password_file: /p"}),
              ElementsAre("account.password_env: the password has one source, and "
                          "account.password_file is given too; remove one"));
}

TEST(PasswordSource, is_passed_to_no_engine) {
  EXPECT_THAT(faults({"account.password_env: BOT", "engine.pass_environment: [\"B*\"]"}),
              ElementsAre("engine.pass_environment: lets BOT through, which holds the password "
                          "(account.password_env); no engine may have it"));
}

TEST(PasswordSource, one_that_is_wrong_is_not_missing_too) {
  EXPECT_THAT(faults({"account.password_env: $TRIP"}),
              ElementsAre("account.password_env: must be the name of an environment variable: "
                          "letters, digits and _, without a $"));
}

TEST(GameLabel, a_slip_in_floodgate_is_noticed) {
  EXPECT_THAT(warnings({"game.name: flodgate-300-10F"}),
              ElementsAre("game.name: the label \"flodgate\" is not floodgate's, so this is a private "
                          "game between whoever asks for it; did you mean floodgate?"));
  EXPECT_THAT(warnings({"game.name: Floodgate-300-10F"}),
              ElementsAre("game.name: the label \"Floodgate\" is not floodgate's, so this is a private "
                          "game between whoever asks for it; did you mean floodgate?"));
  EXPECT_THAT(warnings({"game.name: mytest-300-10F"}), IsEmpty());
}

TEST(Margin, leaves_something_of_each_move) {
  EXPECT_THAT(warnings({"game.name: mytest-0-10", "time.margin: 10s"}),
              ElementsAre("time.margin: 10s is as long as the 10s that mytest-0-10 gives for each "
                          "move; half of those will be kept back instead"));
  EXPECT_THAT(warnings({"game.name: mytest-60-1F", "time.margin: 1s"}),
              ElementsAre("time.margin: 1s is as long as the 1s that mytest-60-1F gives for each "
                          "move; half of those will be kept back instead"));
  EXPECT_THAT(warnings({"game.name: mytest-5-0", "time.margin: 5s"}),
              ElementsAre("time.margin: 5s is as long as the whole time of mytest-5-0"));
  EXPECT_THAT(warnings({"game.name: mytest-0-10", "time.margin: 9.9s"}), IsEmpty());
  EXPECT_THAT(warnings({"game.name: mytest-0-0", "time.margin: 10s"}), IsEmpty());
}

TEST(Margin, bounds_of_a_measured_one_fit_together) {
  EXPECT_THAT(faults({"time.margin_min: 2s", "time.margin_max: 1s"}),
              ElementsAre("time.margin_min: must not be more than time.margin_max, 1s"));
  EXPECT_THAT(warnings({"time.margin: 1s", "time.margin_max: 2s"}),
              ElementsAre("time.margin_max: has no effect: time.margin is not auto"));
  EXPECT_THAT(warnings({"time.margin_min: 100ms"}), IsEmpty());
}

TEST(Margin, none_at_all_is_noticed) {
  EXPECT_THAT(warnings({"time.margin: 50ms"}),
              ElementsAre("time.margin: 50ms is less than the way to most servers takes; a move that "
                          "arrives as the limit is reached loses"));
}

TEST(PonderOption, that_contradicts_the_setting_is_noticed) {
  EXPECT_THAT(warnings({"ponder: true", "engine.options: {USI_Ponder: false}"}),
              ElementsAre("engine.options.USI_Ponder: contradicts ponder: true; leave it out, it is "
                          "set from ponder"));
  EXPECT_THAT(warnings({"engine.options: {USI_Ponder: false}"}), IsEmpty());
}

Lines problems_of(const std::vector<Source>& sources) {
  return described(load_yaml(sources).problems);
}

Lines warnings_of(const std::vector<Source>& sources) {
  return described(load_yaml(sources).warnings);
}

TEST(SeveralBots, two_with_one_account_on_one_server_are_refused) {
  EXPECT_THAT(problems_of({{"a.yaml", yaml_of({})}, {"b.yaml", yaml_of({"server.host: CSA.example"})}}),
              ElementsAre("b.yaml:2:3: account.name: \"mybot\" is already the account on "
                          "CSA.example:4081 in a.yaml; two logins under one name throw each other "
                          "out"));
}

TEST(SeveralBots, one_account_on_two_servers_is_fine_but_hard_to_tell_apart) {
  const std::vector<Source> sources{{"a.yaml", yaml_of({})},
                                    {"b.yaml", yaml_of({"server.port: 4082"})}};
  EXPECT_THAT(problems_of(sources), IsEmpty());
  EXPECT_THAT(warnings_of(sources),
              ElementsAre("b.yaml:2:3: name: the log calls the bot of a.yaml \"mybot\" too; give one "
                          "of them another name"));
  EXPECT_THAT(warnings_of({sources[0], {"b.yaml", yaml_of({"server.port: 4082", "name: other"})}}),
              IsEmpty());
}

TEST(SeveralBots, one_log_described_twice_is_noticed) {
  EXPECT_THAT(warnings_of({{"a.yaml", yaml_of({})},
                           {"b.yaml", yaml_of({"account.name: other", "log.level: debug"})}}),
              ElementsAre("b.yaml:6:1: log: these settings differ from those in a.yaml, which logs to "
                          "the same place; those count"));
  EXPECT_THAT(warnings_of({{"a.yaml", yaml_of({})},
                           {"b.yaml", yaml_of({"account.name: other", "log.level: debug",
                                               "log.file: b.log"})}}),
              IsEmpty());
}

TEST(SeveralBots, the_problems_of_all_files_come_at_once) {
  EXPECT_THAT(problems_of({{"b.yaml", "a: [\n"}, {"a.yaml", yaml_of({"ponder: 1"})}}),
              ElementsAre("b.yaml:2:1: not valid YAML: end of sequence flow not found",
                          "a.yaml:1:9: ponder: must be off, on or early, not \"1\""));
}

TEST(LoginMode, x1_asks_for_its_game_by_name_and_needs_a_password) {
  EXPECT_THAT(problems_of({{"bot.yaml", "server: {host: a.example, mode: x1}\naccount: {name: a}\n"
                                        "engine: {command: [/bin/engine]}\n"}}),
              Contains(HasSubstr("server.mode: in x1 mode the bot asks for its game by name")));
  EXPECT_THAT(problems_of({{"bot.yaml", "server: {host: a.example, mode: x1}\naccount: {name: a}\n"
                                        "game: {name: test-60-10}\n"
                                        "engine: {command: [/bin/engine]}\n"}}),
              Contains(HasSubstr("server.mode: an x1 login needs a password")));
}

TEST(EngineProtocol, engines_of_other_games_are_refused_with_what_can_be_done_with_them) {
  EXPECT_THAT(faults({"engine.protocol: uci"}), IsEmpty());
  EXPECT_THAT(faults({"engine.protocol: tei"}),
              ElementsAre("engine.protocol: such engines do not play shogi: they can be examined "
                          "(kakehashi engine examine --protocol), but not entered in games; use usi or uci"));
  EXPECT_THAT(faults({"engine.protocol: ucgi"}),
              ElementsAre(HasSubstr("such engines do not play shogi")));
}

TEST(Validate, a_host_that_would_be_an_option_of_ssh_is_refused) {
  EXPECT_THAT(faults({"engine.host: -oProxyCommand=reboot"}), Contains(HasSubstr("must begin with a host's name")));
  EXPECT_THAT(faults({"engine.host: [gpu1, '']"}), Contains(HasSubstr("must begin with a host's name")));
  EXPECT_THAT(faults({"engine.host: [a, b, c, d, e]"}), Contains(HasSubstr("more than 4 ways")));
  EXPECT_THAT(faults({"engine.host: [gpu1, ssh -p 2222 me@gpu2]"}), IsEmpty());
}

TEST(Validate, what_does_not_reach_another_machine_is_refused) {
  EXPECT_THAT(faults({"engine.host: gpu1", "engine.environment: {A: b}"}),
              Contains(HasSubstr("engine.environment: does not reach")));
  EXPECT_THAT(faults({"engine.host: gpu1", "engine.limits.memory: 1GB"}),
              Contains(HasSubstr("engine.limits.memory: does not reach")));
  EXPECT_THAT(faults({"engine.keep: true", "engine.limits.memory: 1GB"}), IsEmpty());
  EXPECT_THAT(faults({"engine.keep: true", "engine.restart_each_game: true"}),
              Contains(HasSubstr("contradicts engine.restart_each_game")));
}

}  // namespace
}  // namespace kakehashi::config
