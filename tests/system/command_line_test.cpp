#include "cli/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

using testing::HasSubstr;

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(std::vector<std::string> arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ran ran;
  ran.status = run_command_line(std::move(arguments));
  ran.out = testing::internal::GetCapturedStdout();
  ran.err = testing::internal::GetCapturedStderr();
  return ran;
}

TEST(CommandLine, help_names_each_command_and_each_exit_status) {
  const auto ran = run({"--help"});
  EXPECT_EQ(ran.status, 0);
  for (const char* word : {"run", "check", "rehearse", "serve", "config", "version", "Exit status",
                           "64", "69", "70", "75", "77", "78"}) {
    EXPECT_THAT(ran.out, HasSubstr(word));
  }
}

TEST(CommandLine, help_and_errors_are_in_the_language_that_is_asked_for) {
  EXPECT_THAT(run({"--lang", "ja", "--help"}).out, HasSubstr("対局する: 設定ファイル 1 つにボット 1 つ"));
  EXPECT_THAT(run({"rehearse", "--help", "--lang=ja"}).out, HasSubstr("使い方: kakehashi rehearse [オプション]"));
  const auto ran = run({"chekc", "--lang", "ja"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_EQ(ran.err, "kakehashi: コマンド \"chekc\" はありません。\"check\" のことですか\n'kakehashi --help' も見てください。\n");
  EXPECT_THAT(run({"chekc", "--lang", "en"}).err, HasSubstr("there is no command \"chekc\""));
  EXPECT_THAT(run({"check", "nofile.yaml", "--lang", "ja"}).err, HasSubstr("nofile.yaml: 開けません: "));
}

TEST(CommandLine, no_help_is_half_in_japanese) {
  const std::regex english("(^|[ (])[a-z]{2,} [a-z]{2,} [a-z]{2,}([ ,;:)]|$)");
  const std::regex quoted("'[^']*'|\"[^\"]*\"|https?:[^ ]*|kakehashi [a-z ]*");
  for (const auto& command : std::vector<std::vector<std::string>>{
           {}, {"init"}, {"run"}, {"check"}, {"rehearse"}, {"serve"}, {"status"}, {"top"}, {"health"}, {"stop"}, {"reload"},
           {"notify", "test"}, {"replay"}, {"config", "reference"}, {"config", "import"}, {"completions"},
           {"engine", "examine"}, {"engine", "install"}, {"record", "convert"}, {"record", "show"}, {"record", "verify"},
           {"games", "list"}, {"games", "show"}, {"games", "stats"}, {"games", "export"}, {"games", "import"}, {"publish"}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--help", "--lang", "ja"});
    std::istringstream lines(run(arguments).out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(std::regex_search(std::regex_replace(line, quoted, "-"), english)) << line;
    }
  }
}

TEST(CommandLine, help_of_a_command_names_its_options) {
  const auto ran = run({"rehearse", "--help"});
  EXPECT_EQ(ran.status, 0);
  for (const char* word : {"--games", "--watch", "--game-name", "CONFIG"}) {
    EXPECT_THAT(ran.out, HasSubstr(word));
  }
}

TEST(CommandLine, an_archive_that_is_given_without_its_option_is_told_the_option) {
  const auto ran = run({"games", "list", "records/games.db"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("\"records/games.db\" is one argument too many; name an archive with --archive FILE"));
}

TEST(CommandLine, a_number_that_is_none_is_told_with_the_numbers_that_fit) {
  EXPECT_THAT(run({"games", "show", "x"}).err, HasSubstr("ID takes a whole number from 1 to 1000000000, not \"x\""));
  EXPECT_THAT(run({"rehearse", "a.yaml", "--least-time", "-1"}).err, HasSubstr("--least-time takes a whole number from 0 to 3600, not \"-1\""));
  EXPECT_THAT(run({"serve", "--port", "x"}).err, HasSubstr("--port takes a number, not \"x\""));
}

TEST(CommandLine, a_sequential_test_takes_two_differences_the_smaller_one_first) {
  for (const char* wrong : {"5", "5,0", "0,0", "0,5,9", "a,b", "0,9000", "nan,1", "0,", ""}) {
    const auto ran = run({"rehearse", "nowhere.yaml", "--sprt", wrong});
    EXPECT_EQ(ran.status, 64) << wrong;
    EXPECT_THAT(ran.err, HasSubstr("takes two differences in Elo, such as 0,5")) << wrong;
  }
  EXPECT_THAT(run({"rehearse", "nowhere.yaml", "--sprt", "-10,0"}).err, HasSubstr("nowhere.yaml"));
  EXPECT_THAT(run({"rehearse", "nowhere.yaml", "--sprt", "0,2.5", "--event", "wcsc"}).err, HasSubstr("excludes"));
}

TEST(CommandLine, an_archive_that_is_not_there_is_told_with_what_makes_it) {
  const auto ran = run({"games", "list", "--archive", "/nowhere/games.db"});
  EXPECT_EQ(ran.status, 66);
  EXPECT_THAT(ran.err, HasSubstr("there is no archive /nowhere/games.db, which a bot makes when its first game is over"));
}

TEST(CommandLine, the_version_is_told_in_both_ways) {
  EXPECT_THAT(run({"--version"}).out, HasSubstr("kakehashi 1."));
  EXPECT_EQ(run({"version"}).out, run({"--version"}).out);
}

TEST(CommandLine, without_a_command_the_help_is_shown_and_nothing_is_done) {
  const auto ran = run({});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("rehearse"));
}

TEST(CommandLine, a_misspelt_command_is_answered_with_the_nearest) {
  const auto ran = run({"rehaerse", "bot.yaml"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_EQ(ran.err,
            "kakehashi: there is no command \"rehaerse\"; did you mean \"rehearse\"?\n"
            "Try 'kakehashi --help'.\n");
}

TEST(CommandLine, a_misspelt_command_below_another_is_answered_with_the_nearest) {
  const auto ran = run({"games", "lsit"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_EQ(ran.err,
            "kakehashi: there is no command \"lsit\" of 'kakehashi games'; did you mean \"list\"?\n"
            "Try 'kakehashi games --help'.\n");
  EXPECT_THAT(run({"engine", "quux"}).err, HasSubstr("there is no command \"quux\" of 'kakehashi engine'; there are "));
  EXPECT_THAT(run({"config"}).err, HasSubstr("'kakehashi config' wants a command: "));
}

TEST(CommandLine, a_place_of_the_status_that_is_none_is_a_usage_error) {
  const auto ran = run({"top", "--status", "abc"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("--status wants a port or address:port"));
  EXPECT_THAT(ran.err, HasSubstr("Try 'kakehashi top --help'.\n"));
}

TEST(CommandLine, a_misspelt_option_is_answered_with_the_nearest) {
  const auto ran = run({"run", "--log-levle=debug", "bot.yaml"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_EQ(ran.err,
            "kakehashi: there is no option \"--log-levle=debug\"; did you mean \"--log-level\"?\n"
            "Try 'kakehashi run --help'.\n");
  EXPECT_THAT(run({"games", "list", "a", "b"}).err, HasSubstr("Try 'kakehashi games list --help'.\n"));
}

TEST(CommandLine, a_missing_argument_is_named) {
  const auto ran = run({"run"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("CONFIG"));
}

TEST(CommandLine, a_value_out_of_its_range_is_a_usage_error) {
  EXPECT_EQ(run({"run", "--log-level", "loud", "bot.yaml"}).status, 64);
  EXPECT_EQ(run({"rehearse", "--games", "0", "bot.yaml"}).status, 64);
}

TEST(CommandLine, what_cannot_be_written_is_told_whatever_was_to_be_said) {
  const test::Scratch scratch;
  for (const char* arguments : {"config reference", "completions bash", "--version", "engine --help"}) {
    const std::string command =
        test::binary() + " " + arguments + " >/dev/full 2>" + scratch.path("err");
    const int raw = std::system(command.c_str());
    EXPECT_EQ(WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, 73) << arguments;
    EXPECT_EQ(test::read_text(scratch.path("err")), "kakehashi: standard output: it cannot be written\n")
        << arguments;
  }
}

TEST(CommandLine, a_configuration_that_is_not_there_is_a_configuration_error) {
  const auto ran = run({"run", "/no/such/bot.yaml"});
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("/no/such/bot.yaml"));
}

}  // namespace
}  // namespace kakehashi::cli
