// `kakehashi init`: with flags alone, and as a person on a terminal answers it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/init/init_answers.hpp"
#include "tests/places.hpp"
#include "tests/system/pty_program.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/scripted_server.hpp"

namespace kakehashi::cli {
namespace {

using test::PtyProgram;
using test::ScriptedServer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Init : public testing::Test {
 protected:
  Init() {
    test::write_text(scratch.path("trip"), "do-not-tell\n");
    ::chmod(scratch.path("trip").c_str(), 0600);
  }

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

  /// Everything that a bot needs, and `more`.
  Ran init(const std::string& port, std::vector<std::string> more) {
    std::vector<std::string> arguments{
        "init",   "--server", "127.0.0.1:" + port,           "--name",      "alice", "--game",
        "floodgate-300-10F",  "--trip-file", scratch.path("trip"), "-o", scratch.path("alice.yaml")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(std::move(arguments));
  }

  const std::string engine = test::fake_engine_binary();
  test::Scratch scratch;
};

TEST_F(Init, flags_alone_make_a_configuration_that_check_accepts) {
  ScriptedServer server({});
  const auto ran = init(server.port(), {"--engine", engine});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("engine    \"FakeEngine\", ready after"));
  EXPECT_THAT(ran.err, HasSubstr("server    127.0.0.1:" + server.port() + " answers"));
  EXPECT_THAT(server.finish(), ElementsAre());
  const auto text = test::read_text(scratch.path("alice.yaml"));
  EXPECT_THAT(text, HasSubstr("  # Its TCP port.\n  port: " + server.port()));
  EXPECT_THAT(text, HasSubstr("password_file: " + scratch.path("trip")));
  EXPECT_THAT(text + ran.err + ran.out, Not(HasSubstr("do-not-tell")));
  const auto checked = run({"check", scratch.path("alice.yaml")});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_EQ(checked.err, "");
}

TEST_F(Init, a_login_is_tried_when_it_is_asked_for) {
  ScriptedServer server({"LOGIN:alice OK", "LOGOUT:completed"});
  const auto ran = init(server.port(), {"--login", "--engine", engine});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("login     accepted by"));
  EXPECT_THAT(server.finish(),
              ElementsAre("LOGIN alice floodgate-300-10F,do-not-tell", "LOGOUT"));
}

TEST_F(Init, a_refused_login_writes_nothing) {
  ScriptedServer server({"LOGIN:incorrect"});
  const auto ran = init(server.port(), {"--login", "--engine", engine});
  EXPECT_EQ(ran.status, 77);
  EXPECT_THAT(ran.err, HasSubstr("refused the login"));
  EXPECT_THAT(ran.err, HasSubstr("nothing was written"));
  EXPECT_THAT(scratch.names(), ElementsAre("trip"));
}

TEST_F(Init, an_engine_that_cannot_be_started_writes_nothing) {
  const auto ran = init("4081", {"--engine", scratch.path("no-such-engine")});
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.err, HasSubstr("No such file or directory"));
  EXPECT_THAT(scratch.names(), ElementsAre("trip"));
}

TEST_F(Init, a_server_that_cannot_be_reached_is_told_and_the_file_is_written) {
  for (const bool logs_in : {false, true}) {
    const std::string output = scratch.path(logs_in ? "second.yaml" : "first.yaml");
    std::vector<std::string> arguments{"init", "--yes", "--server", "127.0.0.1:1", "--name", test::own_name("alice"), "--trip-file",
                                       scratch.path("trip"), "-o", output, "--engine", engine};
    if (logs_in) {
      arguments.emplace_back("--login");
    }
    const auto ran = run(arguments);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("untried   the server is not available: "));
    EXPECT_THAT(ran.err, HasSubstr("Connection refused"));
    EXPECT_THAT(ran.err, HasSubstr("kakehashi check --login " + output));
    EXPECT_THAT(ran.err, HasSubstr("written   " + output));
    EXPECT_EQ(run({"check", output}).status, 0);
  }
}

TEST_F(Init, arguments_of_the_engine_that_begin_with_a_dash_stand_behind_two_dashes) {
  const auto ran = init("4081", {"--no-test", "--", engine, "--name", "Nobody"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(test::read_text(scratch.path("alice.yaml")),
              HasSubstr("command: [" + engine + ", \"--name\", Nobody]"));
}

TEST_F(Init, with_all_every_other_setting_is_there_as_a_comment) {
  const auto ran = init("4081", {"--no-test", "--all", "--engine", engine});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(test::read_text(scratch.path("alice.yaml")), HasSubstr("\n  #port: 4081\n"));
  EXPECT_EQ(run({"check", scratch.path("alice.yaml")}).err, "");
}

TEST_F(Init, the_file_explains_itself_in_the_language_of_the_command) {
  ASSERT_EQ(run({"init", "--lang", "ja", "--yes", "--no-test", "--server", "csa.example.org", "--name", "alice", "--trip-file",
                 scratch.path("trip"), "-o", scratch.path("a.yaml"), "--engine", engine}).status, 0);
  const std::string text = test::read_text(scratch.path("a.yaml"));
  EXPECT_THAT(text, AllOf(HasSubstr("# 'kakehashi init' で作りました。"), HasSubstr("# game:\n#   name: test-600-10F\n\nengine:\n"),
                          HasSubstr("主催者が対局を組みます。"), Not(HasSubstr("organisers"))));
  EXPECT_THAT(text, Not(HasSubstr("The CSA server")));
  EXPECT_EQ(run({"check", scratch.path("a.yaml")}).status, 0);
}

TEST_F(Init, a_service_has_its_own_place_and_needs_systemd) {
  const auto ran = init("4081", {"--no-test", "--service", "--engine", engine});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("--service "));
  EXPECT_THAT(ran.err, HasSubstr("nothing was written"));
  EXPECT_THAT(scratch.names(), ElementsAre("trip"));
}

TEST_F(Init, no_file_is_ever_overwritten) {
  test::write_text(scratch.path("alice.yaml"), "mine");
  const auto ran = init("4081", {"--no-test", "--engine", engine});
  EXPECT_EQ(ran.status, 73);
  EXPECT_THAT(ran.err, HasSubstr("alice.yaml\" exists, and nothing is overwritten"));
  EXPECT_EQ(test::read_text(scratch.path("alice.yaml")), "mine");
}

TEST_F(Init, what_is_missing_or_wrong_is_named_with_its_flag) {
  EXPECT_THAT(run({"init"}).err, HasSubstr("--name is needed where nobody can be asked"));
  EXPECT_THAT(run({"init", "--server", "host:0"}).err, HasSubstr("--server: must be HOST or"));
  EXPECT_THAT(run({"init", "--name", "two words"}).err, HasSubstr("--name: must be of letters"));
  EXPECT_THAT(run({"init", "--name", "a", "--game", "chess"}).err,
              HasSubstr("--game: \"chess\" is no game name"));
  const auto no_trip = run({"init", "--name", "a", "-o", scratch.path("a.yaml"), "--engine", engine});
  EXPECT_EQ(no_trip.status, 64);
  EXPECT_THAT(no_trip.err, HasSubstr("floodgate pairs only players with a trip"));
  EXPECT_THAT(scratch.names(), ElementsAre("trip"));
}

TEST_F(Init, a_person_is_asked_again_until_the_answers_fit) {
  ScriptedServer server({});
  PtyProgram program({"init"}, scratch.path());
  ASSERT_TRUE(program.sees("Server (HOST or HOST:PORT) [wdoor.c.u-tokyo.ac.jp]: "));
  program.type("127.0.0.1:" + server.port() + "\n");
  ASSERT_TRUE(program.sees("as others see it: "));
  program.type("no good name\n");
  ASSERT_TRUE(program.sees("must be of letters, digits"));
  ASSERT_TRUE(program.sees("as others see it: "));
  program.type("alice\n");
  ASSERT_TRUE(program.sees("(none: the organisers pair) [none]: "));
  program.type("floodgate-300-10F\n");
  ASSERT_TRUE(program.sees("[alice.yaml]: "));
  program.type("\n");
  ASSERT_TRUE(program.sees("(it is not shown): "));
  program.type("two words\n");
  ASSERT_TRUE(program.sees("  It "));
  ASSERT_TRUE(program.sees("(it is not shown): "));
  program.type("himitsuX\x7f\n");
  ASSERT_TRUE(program.sees("Engine (its program, and arguments if any): "));
  program.type("/no/such/engine\n");
  ASSERT_TRUE(program.sees("No such file or directory"));
  ASSERT_TRUE(program.sees("Engine (its program, and arguments if any): "));
  program.type(engine + " --chatter\n");
  ASSERT_TRUE(program.sees("ready after"));
  ASSERT_TRUE(program.sees("Log in at the server, and out again at once? [y/N]: "));
  program.type("\n");
  EXPECT_EQ(program.finish(), 0) << program.screen();
  EXPECT_THAT(program.screen(), Not(HasSubstr("himitsu")));
  EXPECT_EQ(test::read_text(scratch.path("alice.password")), "himitsu\n");
  EXPECT_EQ(std::filesystem::status(scratch.path("alice.password")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(run({"check", scratch.path("alice.yaml")}).status, 0);
}

TEST_F(Init, a_person_may_leave_at_any_question_and_the_terminal_echoes_again) {
  PtyProgram program({"init", "--name", "alice", "--server", "127.0.0.1", "--game",
                      "floodgate-300-10F", "--engine", engine},
                     scratch.path());
  ASSERT_TRUE(program.sees("[alice.yaml]: "));
  program.type("\n");
  ASSERT_TRUE(program.sees("(it is not shown): "));
  program.type("secret\x03");
  ASSERT_TRUE(program.sees("nothing was written"));
  EXPECT_EQ(program.finish(), 64);
  EXPECT_THAT(scratch.names(), ElementsAre("trip"));
}

TEST_F(Init, without_a_game_the_file_explains_what_would_stand_there) {
  ASSERT_EQ(run({"init", "--yes", "--no-test", "--server", "csa.example.org", "--name", "alice", "--trip-file",
                 scratch.path("trip"), "-o", scratch.path("a.yaml"), "--engine", engine}).status, 0);
  std::string text = test::read_text(scratch.path("a.yaml"));
  const std::string example = "# game:\n#   name: test-600-10F\n";
  ASSERT_THAT(text, AllOf(HasSubstr("the organisers pair"), HasSubstr(example + "\nengine:\n")));
  EXPECT_EQ(run({"check", scratch.path("a.yaml")}).status, 0);

  text.replace(text.find(example), example.size(), "game:\n  name: test-600-10F\n");
  test::write_text(scratch.path("b.yaml"), text);
  const auto checked = run({"check", scratch.path("b.yaml")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out + checked.err, HasSubstr("test-600-10F"));
}

TEST(InitOptions, threads_hash_and_network_delays_are_proposed_within_what_is_declared) {
  const auto declare = [](const char* line) { return *usi::parse_option(line); };
  const std::vector<usi::Option> declared{
      declare("name Threads type spin default 4 min 1 max 6"),
      declare("name Hash type spin default 16 min 1 max 33554432"),
      declare("name NetworkDelay type spin default 120 min 0 max 10000"),
      declare("name NetworkDelay2 type spin default 1120 min 10 max 10000"),
      declare("name Style type string default")};
  const auto options = proposed_options(declared, {8, 2048ULL * 1024 * 1024});
  using Option = std::pair<std::string, std::optional<std::string>>;
  EXPECT_THAT(options, ElementsAre(Option{"Threads", "6"}, Option{"Hash", "512"},
                                   Option{"NetworkDelay", "0"}, Option{"NetworkDelay2", "10"}));
  EXPECT_THAT(proposed_options({}, {8, 1}), ElementsAre());
}

TEST(InitAnswers, a_server_is_a_host_with_or_without_a_port) {
  EXPECT_FALSE(judge_server("example.org"));
  EXPECT_FALSE(judge_server("[::1]:4082"));
  EXPECT_FALSE(judge_server("::1"));
  EXPECT_TRUE(judge_server("example.org:port"));
  EXPECT_TRUE(judge_server(""));
  InitAnswers answers;
  answers.server = "[::1]:4082";
  EXPECT_EQ(config_of(answers).server.host, "::1");
  EXPECT_EQ(config_of(answers).server.port, 4082);
}

}  // namespace
}  // namespace kakehashi::cli
