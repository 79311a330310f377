// A game outlives the process that plays it: that is killed at any instant, and the next one goes on with the same line and
// the same engines. KAKEHASHI_KILLS sets how often it is killed; the ordinary run does some, a nightly one hundreds.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <regex>
#include <string>

#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/two_bots.hpp"

namespace kakehashi {
namespace {

using test::read_text;
using test::run_until;

constexpr int kills_default = 12;
/// Some moves' worth.
constexpr int lines_before_kill_max = 60;

/// Of each move of alice's engine.
constexpr const char* poison = "info depth 5 seldepth 7 score cp 12 ";

class FollowTest : public test::TwoBots {
 protected:
  FollowTest() {
    test::write_private(scratch.path("password"), "secret\n");
    configure_both("csa");
  }

  void configure_both(const std::string& mode) const {
    for (const std::string bot : {"alice", "bob"}) {
      configure(bot, {.account = ", password_file: " + scratch.path("password"),
                      .engine = std::string(", --score, '") + (bot == "alice" ? "12" : "13") + "'",
                      .journal = ", keep: 10000",
                      .mode = mode});
    }
  }
  /// So that both names lead to something at any time.
  void exchange(const std::string& one, const std::string& other) const {
    ASSERT_EQ(::renameat2(AT_FDCWD, scratch.path(one).c_str(), AT_FDCWD, scratch.path(other).c_str(), RENAME_EXCHANGE), 0);
  }
  pid_t ready_understudy() {
    EXPECT_TRUE(run_until(context, [&] { return program->understudy() != 0; })) << log();
    return program->understudy();
  }
  void expect_followed() {
    ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2; })) << log();
    ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
    EXPECT_EQ(logged("game_lost"), 0U) << log();
  }
};

TEST_F(FollowTest, a_process_that_is_killed_at_any_instant_loses_no_game) {
  const char* wanted = std::getenv("KAKEHASHI_KILLS");
  // NOLINTNEXTLINE(cert-err34-c): what is no number is none
  const int kills = wanted == nullptr ? kills_default : std::atoi(wanted);
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same run each time
  std::mt19937 random(7);
  start();
  for (int i = 0; i < kills; ++i) {
    ASSERT_TRUE(plays_on(std::uniform_int_distribution<int>(1, lines_before_kill_max)(random))) << log();
    kill_player();
  }
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  leave();
  EXPECT_EQ(logged("run_not_followed"), 0U) << log();
  EXPECT_EQ(logged("game_lost_sight"), 0U) << log();
  EXPECT_GT(logged("run_followed"), 0U) << log();
}

TEST_F(FollowTest, behind_a_long_run_one_goes_on_that_had_got_ready) {
  start();
  for (int deaths = 0; deaths < 2; ++deaths) {
    const pid_t understudy = ready_understudy();
    ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
    kill_player();
    ASSERT_TRUE(run_until(context, [&] { return program->player() == understudy; }));
    ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  }
  EXPECT_TRUE(test::look_until(context, [&] { return logged("run_followed") >= 4; })) << log();
  EXPECT_EQ(logged("run_followed"), 4U) << log();
  EXPECT_EQ(logged("game_lost"), 0U) << log();
}

TEST_F(FollowTest, a_game_whose_files_were_changed_meanwhile_is_gone_on_with_and_they_count_behind_it) {
  start();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  test::write_text(scratch.path("alice.yaml"), read_text(scratch.path("alice.yaml")) + "time: {margin_min: 350ms}\n");
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] logged_in") >= 2 || program->status; })) << log();
  EXPECT_EQ(logged("run_followed"), 2U) << log();
  EXPECT_EQ(logged("game_lost"), 0U) << log();
  EXPECT_GE(logged("time.margin_min: new"), 1U) << log();
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 4; })) << log();
  EXPECT_EQ(logged("time.margin_min: new"), 1U) << log();
}

TEST_F(FollowTest, what_was_to_begin_anew_behind_the_game_does_so_though_the_file_says_again_what_it_said) {
  configure("alice", {.engine = ", --think-ms, '300'", .journal = ", keep: 10000"});
  start();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] game_started") == 1; })) << log();
  const std::string before = read_text(scratch.path("alice.yaml"));
  test::write_text(scratch.path("alice.yaml"), before + "time: {margin_min: 350ms}\n");
  send_to_player(SIGHUP);
  ASSERT_TRUE(test::look_standing_still([&] { return logged("[alice] renewing") == 1; })) << log();
  test::write_text(scratch.path("alice.yaml"), before);
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2; })) << log();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] game_started") == 2 || program->status; })) << log();
  EXPECT_EQ(logged("[alice] leaving"), 1U) << log();
  EXPECT_EQ(logged("game_lost"), 0U) << log();
}

TEST_F(FollowTest, a_file_that_cannot_be_read_any_more_costs_no_game_that_runs) {
  start();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  test::write_text(scratch.path("alice.yaml"), "server: [");
  kill_player();
  expect_followed();
}

TEST_F(FollowTest, one_that_got_ready_and_died_is_missed_by_nobody) {
  start();
  const pid_t understudy = ready_understudy();
  ::kill(understudy, SIGKILL);
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2; }));
  EXPECT_NE(program->player(), understudy);
}

TEST_F(FollowTest, a_bot_without_a_journal_begins_anew_and_the_other_goes_on) {
  configure("bob", {.journal = ", enabled: false"});
  start();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] run_followed") == 1 && logged("[bob] run_not_followed") == 1; })) << log();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[bob] logged_in") >= 2; })) << log();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  EXPECT_EQ(logged("[bob] run_followed"), 0U) << log();
  EXPECT_EQ(logged("[alice] game_lost"), 0U) << log();
}

TEST_F(FollowTest, one_that_dies_as_its_turn_comes_loses_no_game) {
  start();
  const pid_t understudy = ready_understudy();
  ::kill(understudy, SIGSTOP);
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return program->player() == understudy; }));
  ::kill(understudy, SIGKILL);
  expect_followed();
}

TEST_F(FollowTest, one_that_stands_still_as_its_turn_comes_loses_no_game) {
  start();
  const pid_t understudy = ready_understudy();
  ::kill(understudy, SIGSTOP);
  kill_player();
  expect_followed();
  EXPECT_NE(program->player(), understudy);
}

TEST_F(FollowTest, a_bot_that_has_played_all_its_games_does_not_begin_anew_while_others_play) {
  for (const std::string name : {"carol", "dave"}) {
    std::string text = read_text(scratch.path("alice.yaml"));
    text.replace(text.find("name: alice"), 11, "name: " + name);
    text.replace(text.find("test-600-10,"), 12, "once-600-10, count: 1,");
    test::write_text(scratch.path(name + ".yaml"), text);
  }
  start({}, {"alice", "bob", "carol", "dave"});
  ASSERT_TRUE(test::look_until(context, [&] { return logged("all games of game.count are played") == 2; })) << log();
  const pid_t first = program->player();
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") >= 2 && program->player() != first; })) << log();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  leave();
  EXPECT_EQ(logged("[carol] logged_in") + logged("[dave] logged_in"), 2U) << log();
}

TEST_F(FollowTest, a_process_that_stands_still_in_a_game_is_followed_by_another) {
  start();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  const pid_t frozen = program->player();
  send_to_player(SIGSTOP);
  ASSERT_TRUE(test::look_until(context, [&] { return program->player() != frozen && program->player() != 0; }));
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  EXPECT_EQ(logged("game_lost"), 0U);
}

TEST_F(FollowTest, an_exception_that_leaves_the_loop_is_a_death_like_others) {
  start({std::string("LD_PRELOAD=") + test::no_memory()});
  for (int i = 0; i < kills_default; ++i) {
    ASSERT_TRUE(plays_on(lines_before_kill_max / 3)) << log();
    send_to_player(SIGRTMIN);  // what it costs a line of the log alone is no death
  }
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  EXPECT_EQ(logged("bot_failed") + logged("game_lost") + logged("run_not_followed"), 0U) << log();
  EXPECT_GT(logged("run_followed"), 0U) << log();
}

TEST_F(FollowTest, behind_a_journal_that_failed_a_bot_begins_anew_as_soon_as_a_file_opens) {
  start();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  test::write_text(scratch.path("file"), "no directory");
  exchange("journal", "file");
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] journal_failed") >= 1 && logged("[bob] journal_failed") >= 1; })) << log();
  const std::size_t logins = logged("logged_in");
  exchange("journal", "file");
  ASSERT_TRUE(test::look_until(context, [&] { return logged("[alice] leaving") == 1 && logged("[bob] leaving") == 1; })) << log();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("logged_in") >= logins + 2; })) << log();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  kill_player();
  ASSERT_TRUE(test::look_until(context, [&] { return logged("run_followed") == 2; })) << log();
  EXPECT_EQ(logged("game_lost"), 0U) << log();
}

TEST_F(FollowTest, an_engines_line_of_which_one_process_after_the_other_dies_is_left_out) {
  start({std::string("LD_PRELOAD=") + test::poison(), std::string("KAKEHASHI_POISON=") + poison});
  ASSERT_TRUE(test::look_until(context, [&] { return logged("line_left_out") >= 3 || program->status; })) << log();
  EXPECT_FALSE(program->status) << log();
  EXPECT_EQ(logged("[alice] engine_lost"), 0U) << log();
  EXPECT_GE(logged("run_plain"), 1U) << log();
}

TEST_F(FollowTest, chatter_of_which_one_process_after_the_other_dies_costs_no_game) {
  configure_both("x1");
  start({std::string("LD_PRELOAD=") + test::poison(), "KAKEHASHI_POISON=##[CHAT][carol] die"});
  ASSERT_TRUE(test::look_until(context, [&] { return logged("logged_in") >= 2 || program->status; })) << log();
  boost::asio::ip::tcp::socket carol(context);
  carol.connect({boost::asio::ip::make_address("127.0.0.1"), server_port});
  boost::asio::write(carol, boost::asio::buffer(std::string("LOGIN carol secret x1\n%%CHAT die\n")));
  ASSERT_TRUE(test::look_until(context, [&] { return logged("line_left_out") >= 2 || program->status; })) << log();
  ASSERT_TRUE(plays_on(lines_before_kill_max)) << log();
  EXPECT_EQ(logged("game_lost"), 0U) << log();
}

TEST_F(FollowTest, a_turn_begins_that_came_with_chatter_of_which_one_process_after_the_other_dies) {
  boost::asio::ip::tcp::acceptor acceptor(context, {boost::asio::ip::make_address("127.0.0.1"), 0});
  boost::asio::ip::tcp::socket peer(context);
  acceptor.async_accept(peer, [](boost::system::error_code) {});
  server_port = acceptor.local_endpoint().port();
  configure("alice", {});
  start({std::string("LD_PRELOAD=") + test::poison(), "KAKEHASHI_POISON=##[CHAT][carol] die"}, {"alice"});
  std::string heard;
  const auto hears = [&](const std::string& word) {
    return test::look_until(context, [&] {
      std::string bytes(peer.is_open() ? peer.available() : 0, '\0');
      boost::asio::read(peer, boost::asio::buffer(bytes));
      heard += bytes;
      return heard.find(word) != std::string::npos;
    });
  };
  const auto say = [&](const std::string& text) { boost::asio::write(peer, boost::asio::buffer(text)); };
  ASSERT_TRUE(hears("LOGIN alice")) << log();
  say("LOGIN:alice OK\nBEGIN Game_Summary\nProtocol_Version:1.2\nFormat:Shogi 1.0\nGame_ID:one\nName+:alice\nName-:bob\nYour_Turn:+\n"
      "To_Move:+\nBEGIN Time\nTotal_Time:600\nEND Time\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n");
  ASSERT_TRUE(hears("AGREE")) << log();
  say("START:one\n##[CHAT][carol] die\n");
  ASSERT_TRUE(hears("\n+")) << log();
  EXPECT_GE(logged("line_left_out"), 1U) << log();
  const auto journal = [&] {
    std::string text;
    for (const std::string& name : scratch.names("journal")) {
      text += read_text(scratch.path("journal/" + name));
    }
    return text;
  };
  // Which no timer has to find out.
  EXPECT_TRUE(test::look_until(context, [&] { return std::regex_search(journal(), std::regex("<server_line(\t[0-9]+){2}\t\t0\n")); })) << journal();
}

}  // namespace
}  // namespace kakehashi
