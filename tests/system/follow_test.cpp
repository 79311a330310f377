// A game outlives the process that plays it: that is killed at any instant, and the next one goes on with the same line and
// the same engines. KAKEHASHI_KILLS sets how often it is killed; the ordinary run does some, a nightly one hundreds.
#include <gtest/gtest.h>
#include <signal.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/witness.hpp"

namespace kakehashi {
namespace {

using test::Program;
using test::read_text;
using test::run_until;
using test::Witness;

constexpr int kills_default = 12;
/// Some moves' worth.
constexpr int lines_before_kill_max = 60;

/// Of each move of alice's engine.
constexpr const char* poison = "info depth 5 seldepth 7 score cp 12 ";

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++found;
  }
  return found;
}

class FollowTest : public testing::Test {
 protected:
  FollowTest() {
    const auto port = server.start();
    EXPECT_TRUE(port);
    server_port = *port;
    write_configs("csa");
  }

  void write_configs(const std::string& mode) const {
    test::write_text(scratch.path("password"), "secret\n");
    std::filesystem::permissions(scratch.path("password"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    for (const std::string name : {"alice", "bob"}) {
      test::write_text(scratch.path(name + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(server_port) + ", mode: " + mode + "}\n" +
                           "account: {name: " + name + ", password_file: " + scratch.path("password") + "}\n" + "game: {name: test-600-10, meet_own: true}\n" + "engine: {command: [" +
                           test::fake_engine_binary() + ", --score, '" + (name == "alice" ? "12" : "13") + "']}\n" + "records: {directory: " + scratch.path(name) +
                           "}\n" + "journal: {directory: " + scratch.path("journal") + ", keep: 10000}\n");
    }
  }

  test::Scratch scratch;
  boost::asio::io_context context;
  Witness witness;
  std::uint16_t server_port = 0;
  rehearse::server::io::ServerShell server{
      context,
      {},
      {[this](const rehearse::server::GameReport& report) { witness.report(report); },
       [this](rehearse::server::ConnectionId connection, rehearse::server::io::Direction way,
              std::string_view text) { witness.line(connection, way, text); }}};
};

TEST_F(FollowTest, a_process_that_is_killed_at_any_instant_loses_no_game) {
  const char* wanted = std::getenv("KAKEHASHI_KILLS");
  // NOLINTNEXTLINE(cert-err34-c): what is no number is none
  const int kills = wanted == nullptr ? kills_default : std::atoi(wanted);
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same run each time
  std::mt19937 random(7);
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  for (int i = 0; i < kills; ++i) {
    const int target = witness.lines + std::uniform_int_distribution<int>(1, lines_before_kill_max)(random);
    ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target || program.status; }))
        << read_text(scratch.path("stderr"));
    ASSERT_FALSE(program.status) << read_text(scratch.path("stderr"));
    ASSERT_TRUE(run_until(context, [&] { return program.player() != 0; }));
    ::kill(program.player(), SIGKILL);
  }
  const int target = witness.lines + lines_before_kill_max;
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target || program.status; }));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  const std::string log = read_text(scratch.path("stderr"));
  EXPECT_EQ(program.status, 0) << log;
  EXPECT_EQ(count(log, "run_not_followed"), 0U) << log;
  EXPECT_EQ(count(log, "game_lost_sight"), 0U) << log;
  EXPECT_GT(count(log, "run_followed"), 0U) << log;
}

TEST_F(FollowTest, behind_a_long_run_one_goes_on_that_had_got_ready) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  for (int deaths = 0; deaths < 2; ++deaths) {
    ASSERT_TRUE(run_until(context, [&] { return program.understudy() != 0; })) << read_text(scratch.path("stderr"));
    const pid_t understudy = program.understudy();
    const int target = witness.lines + lines_before_kill_max;
    ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target; }));
    ::kill(program.player(), SIGKILL);
    ASSERT_TRUE(run_until(context, [&] { return program.player() == understudy; }));
    const int further = witness.lines + lines_before_kill_max;
    ASSERT_TRUE(run_until(context, [&] { return witness.lines >= further; })) << read_text(scratch.path("stderr"));
  }
  const std::string log = read_text(scratch.path("stderr"));
  EXPECT_EQ(count(log, "run_followed"), 4U) << log;
  EXPECT_EQ(count(log, "game_lost"), 0U) << log;
}

TEST_F(FollowTest, a_game_whose_files_were_changed_meanwhile_is_gone_on_with_and_they_count_behind_it) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= lines_before_kill_max; }));
  test::write_text(scratch.path("alice.yaml"), read_text(scratch.path("alice.yaml")) + "time: {margin_min: 350ms}\n");
  ::kill(program.player(), SIGKILL);
  const auto log = [&] { return read_text(scratch.path("stderr")); };
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "[alice] logged_in") >= 2 || program.status; })) << log();
  EXPECT_EQ(count(log(), "run_followed"), 2U) << log();
  EXPECT_EQ(count(log(), "game_lost"), 0U) << log();
  EXPECT_GE(count(log(), "time.margin_min: new"), 1U) << log();
  ::kill(program.player(), SIGKILL);
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "run_followed") == 4; })) << log();
  EXPECT_EQ(count(log(), "time.margin_min: new"), 1U) << log();
}

TEST_F(FollowTest, a_file_that_cannot_be_read_any_more_costs_no_game_that_runs) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= lines_before_kill_max; }));
  test::write_text(scratch.path("alice.yaml"), "server: [");
  ::kill(program.player(), SIGKILL);
  const int target = witness.lines + lines_before_kill_max;
  const auto log = [&] { return read_text(scratch.path("stderr")); };
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target || program.status; })) << log();
  EXPECT_EQ(count(log(), "run_followed"), 2U) << log();
  EXPECT_EQ(count(log(), "game_lost"), 0U) << log();
}

TEST_F(FollowTest, one_that_got_ready_and_died_is_missed_by_nobody) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return program.understudy() != 0; })) << read_text(scratch.path("stderr"));
  const pid_t understudy = program.understudy();
  ::kill(understudy, SIGKILL);
  ::kill(program.player(), SIGKILL);
  ASSERT_TRUE(run_until(context, [&] { return count(read_text(scratch.path("stderr")), "run_followed") == 2; }));
  EXPECT_NE(program.player(), understudy);
}

TEST_F(FollowTest, a_bot_that_has_played_all_its_games_does_not_begin_anew_while_others_play) {
  const auto log = [&] { return read_text(scratch.path("stderr")); };
  for (const std::string name : {"carol", "dave"}) {
    std::string text = read_text(scratch.path("alice.yaml"));
    text.replace(text.find("name: alice"), 11, "name: " + name);
    text.replace(text.find("test-600-10,"), 12, "once-600-10, count: 1,");
    test::write_text(scratch.path(name + ".yaml"), text);
  }
  Program program(context,
                  {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml"), scratch.path("carol.yaml"), scratch.path("dave.yaml")},
                  "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "all games of game.count are played") == 2; })) << log();
  const pid_t first = program.player();
  ::kill(first, SIGKILL);
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "run_followed") >= 2 && program.player() != first; })) << log();
  const int target = witness.lines + lines_before_kill_max;
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target || program.status; }));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0) << log();
  EXPECT_EQ(count(log(), "[carol] logged_in") + count(log(), "[dave] logged_in"), 2U) << log();
}

TEST_F(FollowTest, a_process_that_stands_still_in_a_game_is_followed_by_another) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= lines_before_kill_max; }));
  const pid_t frozen = program.player();
  ::kill(frozen, SIGSTOP);
  ASSERT_TRUE(run_until(context, [&] { return program.player() != frozen && program.player() != 0; }));
  const int target = witness.lines + lines_before_kill_max;
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target; })) << read_text(scratch.path("stderr"));
  EXPECT_EQ(count(read_text(scratch.path("stderr")), "game_lost"), 0U);
}

TEST_F(FollowTest, an_engines_line_of_which_one_process_after_the_other_dies_is_left_out) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"),
                  {std::string("LD_PRELOAD=") + test::poison(), std::string("KAKEHASHI_POISON=") + poison});
  const auto log = [&] { return read_text(scratch.path("stderr")); };
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "line_left_out") >= 3 || program.status; })) << log();
  EXPECT_FALSE(program.status) << log();
  EXPECT_EQ(count(log(), "[alice] engine_lost"), 0U) << log();
  EXPECT_GE(count(log(), "run_plain"), 1U) << log();
}

TEST_F(FollowTest, chatter_of_which_one_process_after_the_other_dies_costs_no_game) {
  write_configs("x1");
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")}, "", scratch.path("stderr"),
                  {std::string("LD_PRELOAD=") + test::poison(), "KAKEHASHI_POISON=##[CHAT][carol] die"});
  const auto log = [&] { return read_text(scratch.path("stderr")); };
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "logged_in") >= 2 || program.status; })) << log();
  boost::asio::ip::tcp::socket carol(context);
  carol.connect({boost::asio::ip::make_address("127.0.0.1"), server_port});
  boost::asio::write(carol, boost::asio::buffer(std::string("LOGIN carol secret x1\n%%CHAT die\n")));
  ASSERT_TRUE(run_until(context, [&] { return count(log(), "line_left_out") >= 2 || program.status; })) << log();
  const int target = witness.lines + lines_before_kill_max;
  ASSERT_TRUE(run_until(context, [&] { return witness.lines >= target || program.status; })) << log();
  EXPECT_FALSE(program.status) << log();
  EXPECT_EQ(count(log(), "game_lost"), 0U) << log();
}

}  // namespace
}  // namespace kakehashi
