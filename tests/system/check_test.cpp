// `kakehashi check` from the command line to a real engine process and a scripted server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "daemon/account_lock.hpp"
#include "tests/places.hpp"
#include "tests/system/certificates.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/scripted_server.hpp"
#include "tests/system/tls_front.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;
using test::ScriptedServer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CheckTest : public testing::Test {
 protected:
  struct Ran {
    int status = 0;
    std::string out;
    std::string err;
  };

  Ran check(const std::string& engine, const std::string& port, bool login,
            const std::vector<std::string>& more = {}) {
    test::write_text(scratch.path("pw"), "do-not-tell\n");
    ::chmod(scratch.path("pw").c_str(), 0600);
    test::write_text(scratch.path("bot.yaml"),
                     "server: {host: 127.0.0.1, port: " + port + "}\n" +
                         "account: {name: " + account + ", password_file: " + scratch.path("pw") + "}\n" +
                         "game: {name: " + game + ", count: 3}\n" + "engine:\n" + engine);
    std::vector<std::string> arguments{"check", scratch.path("bot.yaml")};
    if (login) {
      arguments.push_back("--login");
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Ran ran;
    ran.status = run_command_line(arguments);
    ran.out = testing::internal::GetCapturedStdout();
    ran.err = testing::internal::GetCapturedStderr();
    return ran;
  }

  static std::string engine(const std::string& switches) {
    return "  command: [" + test::fake_engine_binary() + switches + "]\n";
  }

  test::Scratch scratch;
  std::string account = "alice";
  std::string game = "floodgate-300-10F";
};

TEST_F(CheckTest, an_engine_that_answers_only_at_its_end_is_told_apart_from_one_that_does_not) {
  test::write_text(scratch.path("buffers.sh"),
                   "while read word; do [ $word != quit ] || { echo id name Late; echo usiok; exit; }; done\n");
  const auto ran = check("  command: [/bin/sh, " + scratch.path("buffers.sh") + "]\n  start_timeout: 1s\n", "4081", false);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("its output waits in a buffer"));
}

TEST_F(CheckTest, what_an_engine_says_before_it_dies_and_where_it_ran_are_told) {
  test::write_text(scratch.path("complains.sh"), "echo Error: no eval/nn.bin; echo and more >&2; exit 3\n");
  const auto ran = check("  command: [/bin/sh, " + scratch.path("complains.sh") + "]\n", "4081", false);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out + ran.err, HasSubstr("no eval/nn.bin"));
  EXPECT_THAT(ran.out + ran.err, HasSubstr("and more"));
  EXPECT_THAT(ran.out + ran.err, HasSubstr("directory \"" + scratch.path("").substr(0, scratch.path("").size() - 1)));
}

TEST_F(CheckTest, what_would_happen_is_told_and_the_password_is_not) {
  const auto ran = check(engine("") + "  options: {USI_Hash: 32, Style Of Play: wild}\n", "4081",
                         false);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("server    127.0.0.1, port 4081\n"));
  EXPECT_THAT(ran.out, HasSubstr("game      floodgate-300-10F, 3 games, with evaluation comments"));
  EXPECT_THAT(ran.out, HasSubstr("engine    \"FakeEngine\" by \"the tests\""));
  EXPECT_THAT(ran.out, HasSubstr("option    Style Of Play = wild\n"));
  EXPECT_THAT(ran.out, HasSubstr("result    all is well\n"));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("do-not-tell")));
  EXPECT_THAT(ran.out, Not(HasSubstr("if killed")));
}

TEST_F(CheckTest, an_engine_that_writes_shift_jis_is_understood_here_and_behind_a_keeper) {
  // As ssh does: its last word is a command there.
  test::write_text(scratch.path("way.sh"), "shift\nPATH=$(dirname " + test::keeper_binary() + "):$PATH HOME=" + scratch.path("home") +
                                               " exec /bin/sh -c \"$*\"\n");
  std::filesystem::create_directory(scratch.path("home"));
  for (const std::string& place : {std::string(), "  host: '/bin/sh " + scratch.path("way.sh") + " far'\n"}) {
    const auto set = check(engine(", --shift-jis") + place + "  options: {評価: 速い}\n", "4081", false);
    EXPECT_EQ(set.status, 0) << set.out << set.err;
    EXPECT_THAT(set.out, HasSubstr("option    評価 = 速い\n"));
    const auto unset = check(engine(", --shift-jis") + place, "4081", false);
    EXPECT_EQ(unset.status, 69);
    EXPECT_THAT(unset.out + unset.err, HasSubstr("評価が遅い"));
  }
}

TEST_F(CheckTest, a_directory_that_cannot_be_made_is_told) {
  test::write_text(scratch.path("file"), "");
  const auto ran = check(engine("") + "records: {directory: " + scratch.path("games") + "}\njournal: {directory: " +
                             scratch.path("file/journal") + "}\n", "4081", false);
  EXPECT_EQ(ran.status, base::exit_cannot_create) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("cannot write \"" + scratch.path("file/journal") + "\": "));
  EXPECT_THAT(ran.out, Not(HasSubstr(scratch.path("games") + "\":")));
  EXPECT_FALSE(std::filesystem::exists(scratch.path("games")));
}

TEST_F(CheckTest, warns_of_a_password_that_is_part_of_a_name_that_everybody_reads) {
  EXPECT_THAT(check(engine(""), "4081", false).out, Not(HasSubstr("no secret")));
  game = "do-not-tell-300-10F";
  const auto ran = check(engine(""), "4081", false);
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.out, HasSubstr("warning   the password is part of game.name"));
}

TEST_F(CheckTest, tries_the_form_of_clock_that_the_games_will_have) {
  const auto adds = check(engine(", --clock, yaneuraou-9.40, --think-ms, 1"), "4081", false);
  EXPECT_THAT(adds.out, HasSubstr("clock     it adds the increment to btime by itself; it is sent btime without this "
                                  "move's increment, and binc (found by asking it)\n"));
  const auto none = check(engine(", --clock, gpsshogi"), "4081", false);
  EXPECT_EQ(none.status, 0) << none.out;
  EXPECT_THAT(none.out, HasSubstr("clock     it knows no increments (it ends when it hears of binc); it is sent the "
                                  "increment as byoyomi, and no binc (found by asking it)\n"));
  const auto wrong = check(engine(", --clock, gpsshogi") + "  clock: separate\n", "4081", false);
  EXPECT_EQ(wrong.status, 69);
  EXPECT_THAT(wrong.out, HasSubstr("at its first increment: set engine.clock to byoyomi, or to auto"));
}

TEST_F(CheckTest, an_engine_that_mixes_the_sides_up_is_found_for_games_with_byoyomi_too) {
  game = "floodgate-600-10";
  const auto swaps = check(engine(", --clock, fairy-11.1"), "4081", false);
  EXPECT_EQ(swaps.status, 0) << swaps.out;
  EXPECT_THAT(swaps.out, HasSubstr("clock     the game has no increments: it is sent the clocks and byoyomi; it takes the "
                                   "other side's clock for its own, and is sent its own for both (found by asking it)\n"));
  game = "floodgate-0-10";
  EXPECT_THAT(check(engine(", --clock, fairy-11.1"), "4081", false).out, Not(HasSubstr("found by asking it")))
      << "both clocks are empty";
}

TEST_F(CheckTest, an_option_that_the_engine_does_not_declare_is_a_configuration_error) {
  const auto ran = check(engine("") + "  options: {USI_Hush: 32}\n", "4081", false);
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.out, HasSubstr("USI_Hush"));
  EXPECT_THAT(ran.out, HasSubstr("USI_Hash"));
  EXPECT_THAT(ran.out, Not(HasSubstr("option    USI_Hush")));
}

TEST_F(CheckTest, an_option_in_a_rule_that_the_engine_does_not_declare_is_a_configuration_error) {
  const auto ran =
      check(engine("") + "rules: [{when: {opponent: foe}, set: {engine: {options: {USI_Hush: 1}}}}]\n",
            "4081", false);
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.out, HasSubstr("problem   rules[1] (line "));
  EXPECT_THAT(ran.out, HasSubstr("USI_Hush"));
}

TEST_F(CheckTest, a_reader_that_has_seen_enough_is_no_fault) {
  (void)check(engine(""), "4081", false);  // writes the file
  const std::string command = "bash -c 'set -o pipefail; " + test::binary() + " check " +
                              scratch.path("bot.yaml") + " | true' 2>" + scratch.path("err");
  const int raw = std::system(command.c_str());
  EXPECT_EQ(WIFEXITED(raw) ? WEXITSTATUS(raw) : -1, 0);
  EXPECT_EQ(test::read_text(scratch.path("err")), "");
}

TEST_F(CheckTest, rules_are_explained_for_a_game_without_starting_the_engine) {
  const auto ran = check("  command: [" + scratch.path("no-such-engine") +
                             "]\nrules:\n  - when: {game_name: floodgate-*}\n    set: {ponder: early}\n"
                             "  - when: {opponent: foe, time_of_day: 20:00-06:00}\n    set: {ponder: off}\n"
                             "  - when: {clock: {increment: 0s}}\n    set: {time: {margin: 2s}}\n",
                         "4081", false,
                         {"--game", "floodgate-300-10F", "--opponent", "foe", "--time", "23:15"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("game      \"floodgate-300-10F\": 5min, increment 10s\n"));
  EXPECT_THAT(ran.out, HasSubstr("applies (game_name floodgate-*): sets ponder: early\n"));
  EXPECT_THAT(ran.out, HasSubstr("applies (opponent foe, time_of_day 20:00-06:00): sets ponder: off\n"));
  EXPECT_THAT(ran.out, HasSubstr("does not apply: clock.increment is 10s, not 0s\n"));
  EXPECT_THAT(ran.out, HasSubstr("result    the game is played as the rest of the file says\n"));
}

TEST_F(CheckTest, a_time_of_day_that_is_none_is_refused) {
  const auto ran = check(engine(""), "4081", false, {"--game", "a-1-1", "--time", "8pm"});
  EXPECT_EQ(ran.status, 64);
  EXPECT_THAT(ran.err, HasSubstr("must be a time of day such as 20:30"));
}

TEST_F(CheckTest, an_engine_that_cannot_be_started_is_unavailable) {
  const auto path = scratch.path("no-such-engine");
  const auto ran = check("  command: [" + path + "]\n", "4081", false);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr(path + ": No such file or directory"));
}

TEST_F(CheckTest, an_engine_that_never_gets_ready_is_unavailable_and_the_limit_is_named) {
  const auto ran = check(engine(", --no-readyok") + "  ready_timeout: 1s\n", "4081", false);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("no readyok within 1 s (engine.ready_timeout)"));
}

TEST_F(CheckTest, a_program_that_is_no_engine_is_taken_for_none) {
  const auto ran = check("  command: [/bin/true]\n", "4081", false);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("it ended with exit status 0 before it introduced itself; is it an engine?"));
}

TEST_F(CheckTest, a_first_move_is_asked_for_and_judged) {
  const auto good = check(engine(""), "4081", false);
  EXPECT_EQ(good.status, 0);
  EXPECT_THAT(good.out, HasSubstr("engine    plays 2h3h in the initial position, after "));

  const auto illegal = check(engine(", --illegal-on-go, '1'") + "  clock: separate\n", "4081", false);
  EXPECT_EQ(illegal.status, 69);
  EXPECT_THAT(illegal.out, HasSubstr("problem   asked for a first move, bestmove \"5e5d\" is not legal"));
  EXPECT_THAT(illegal.out, HasSubstr("next      kakehashi engine examine -- "));

  const auto dead = check(engine(", --die-on-go, '1'") + "  clock: separate\n", "4081", false);
  EXPECT_EQ(dead.status, 69);
  EXPECT_THAT(dead.out, HasSubstr("problem   asked for a first move, it ended with signal 6"));
}

TEST_F(CheckTest, what_decides_a_games_time_is_asked_and_what_to_do_is_said) {
  const auto good = check(engine("") + "ponder: on\n", "4081", false);
  EXPECT_EQ(good.status, 0);
  EXPECT_THAT(good.out, HasSubstr("engine    obeys stop after "));
  EXPECT_THAT(good.out, Not(HasSubstr("warning")));

  const auto cut = check(engine(", --cut-lines, '1023'"), "4081", false);
  EXPECT_EQ(cut.status, 0);
  EXPECT_THAT(cut.out, HasSubstr("warning   long lines are cut: given a position line of 2605 bytes"));

  const auto deaf = check(engine(", --deaf-to-stop-in-ponder") + "ponder: on\n", "4081", false);
  EXPECT_THAT(deaf.out, HasSubstr("warning   stop is not obeyed within 2 s while it ponders"));
  EXPECT_THAT(deaf.out, HasSubstr("set ponder: off"));
  const auto unasked = check(engine(", --deaf-to-stop-in-ponder"), "4081", false);
  EXPECT_THAT(unasked.out, Not(HasSubstr("warning")));
}

TEST_F(CheckTest, the_standby_is_tried_like_the_engine) {
  const std::string fake = test::fake_engine_binary();
  const auto good = check(engine("") + "  standby: {options: {USI_Hash: 64}}\n", "4081", false);
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_THAT(good.out, HasSubstr("standby   \"FakeEngine\" by \"the tests\""));
  EXPECT_THAT(good.out, HasSubstr("standby   plays 2h3h in the initial position, after "));

  const auto bad_option = check(engine("") + "  standby: {options: {USI_Hush: 64}}\n", "4081", false);
  EXPECT_EQ(bad_option.status, 78);
  EXPECT_THAT(bad_option.out, HasSubstr("problem   engine.standby.options: "));

  const auto none =
      check(engine("") + "  standby: {command: [" + scratch.path("no-engine") + "]}\n", "4081", false);
  EXPECT_EQ(none.status, 69);
  EXPECT_THAT(none.out, HasSubstr("problem   the standby is not available: "));
}

TEST_F(CheckTest, a_login_that_works_is_undone_at_once) {
  ScriptedServer server({"LOGIN:alice OK", "LOGOUT:completed"});
  const auto ran = check(engine(""), server.port(), true);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("login     accepted by 127.0.0.1:" + server.port()));
  EXPECT_THAT(server.finish(),
              ElementsAre("LOGIN alice floodgate-300-10F,do-not-tell", "LOGOUT"));
}

TEST_F(CheckTest, a_bot_that_runs_is_not_put_out_by_a_login) {
  config::BotConfig running;
  running.account.name = account = test::own_name("alice");
  running.server.host = "127.0.0.1";
  running.server.port = 1;  // nobody is there: a login that is tried fails
  daemon::AccountLock lock;
  ASSERT_EQ(lock.take(running), std::nullopt);
  const auto ran = check(engine(""), "1", true);
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("login     not tried: the bot is running (process " + std::to_string(::getpid()) +
                                 " plays there as \"" + account + "\")"));
}

TEST_F(CheckTest, a_refused_login_has_its_own_status) {
  ScriptedServer server({"LOGIN:incorrect already_logged_in"});
  const auto ran = check(engine(""), server.port(), true);
  EXPECT_EQ(ran.status, 77);
  EXPECT_THAT(ran.out, HasSubstr("refused the login"));
  EXPECT_THAT(ran.out, HasSubstr("already_logged_in"));
}

/// In its own thread, since `check` keeps the test's.
class TlsServer {
 public:
  TlsServer(const test::Identity& identity, std::uint16_t behind)
      : front_(context_, identity, behind), thread_([this] { context_.run(); }) {}
  ~TlsServer() {
    context_.stop();
    thread_.join();
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  [[nodiscard]] std::string port() const { return std::to_string(front_.port()); }

 private:
  asio::io_context context_;
  test::TlsFront front_;
  std::thread thread_;
};

TEST_F(CheckTest, a_login_over_tls_tells_the_protocol) {
  const test::Authority authority(scratch, "trusted");
  ScriptedServer behind({"LOGIN:alice OK", "LOGOUT:completed"});
  {
    const TlsServer server(authority.issue({}), static_cast<std::uint16_t>(std::stoi(behind.port())));
    const auto ran = check(engine(""), server.port() + ", tls: {ca_file: " + authority.file() + "}",
                           true);
    EXPECT_EQ(ran.status, 0) << ran.out;
    EXPECT_THAT(ran.out, HasSubstr("server    127.0.0.1, port " + server.port() +
                                   ", TLS trusting the authorities in " + authority.file() + "\n"));
    EXPECT_THAT(ran.out, HasSubstr("accepted by 127.0.0.1:" + server.port() + " (TLS 1.3, TLS_"));
    EXPECT_THAT(behind.finish(),
                ElementsAre("LOGIN alice floodgate-300-10F,do-not-tell", "LOGOUT"));
  }
}

TEST_F(CheckTest, a_certificate_that_is_not_trusted_is_told_before_any_password) {
  const test::Authority authority(scratch, "trusted");
  const TlsServer server(authority.issue({}), 9);
  const auto ran = check(engine(""), server.port() + ", tls: true", true);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("its certificate was issued by \"trusted\", which is not trusted"));
}

TEST_F(CheckTest, tls_files_that_cannot_be_used_are_faults_of_the_configuration) {
  const auto ran = check(engine(""), "4081, tls: {ca_file: /nowhere.pem}", false);
  EXPECT_EQ(ran.status, 78);
  EXPECT_THAT(ran.err, HasSubstr("bot.yaml:1:"));
  EXPECT_THAT(ran.err, HasSubstr(": server.tls: the file of authorities \"/nowhere.pem\" cannot be "
                                 "read: No such file or directory\n"));
}

TEST_F(CheckTest, a_proxy_is_told_without_its_password) {
  account = test::own_name("alice");
  test::write_text(scratch.path("proxy"), "swordfish\n");
  ::chmod(scratch.path("proxy").c_str(), 0600);
  const auto ran =
      check(engine(""), "4081, proxy: \"socks5://bob@127.0.0.1:1\", proxy_password_file: " +
                            scratch.path("proxy"),
            true);
  EXPECT_EQ(ran.status, 69);
  EXPECT_THAT(ran.out, HasSubstr("through the SOCKS5 proxy 127.0.0.1:1 as \"bob\"\n"));
  EXPECT_THAT(ran.out, HasSubstr("if killed")) << "the connection would not be gone on with";
  EXPECT_THAT(ran.out, HasSubstr("the proxy does not answer: 127.0.0.1:1: Connection refused"));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("swordfish")));
}

TEST_F(CheckTest, a_proxy_password_that_others_can_read_is_warned_of_and_not_shown) {
  const auto ran = check(engine(""), "4081, proxy: \"http://bob:swordfish@127.0.0.1:1\"", false);
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("server.proxy: holds a password, and other users can read this"));
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("swordfish")));
}

}  // namespace
}  // namespace kakehashi::cli
