// `kakehashi run` as a supervisor sees it: the program itself, its signals, its notify socket.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "games/io/archive.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

namespace asio = boost::asio;
using test::Program;
using test::read_text;
using test::run_until;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RunTest : public testing::Test {
 protected:
  RunTest() {
    listen();
    const auto port = server.start();
    EXPECT_TRUE(port);
    server_port = *port;
    for (const char* name : {"alice", "bob"}) {
      test::write_text(scratch.path(std::string(name) + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                           "account: {name: " + name + "}\n" + "game: {name: test-600-10, meet_own: true}\n" +
                           "engine: {command: [" + test::fake_engine_binary() + ", --think-ms, '20']}\n" +
                           "records: {directory: " + scratch.path("records") + "}\n");
    }
  }

  void listen() {
    notify.async_receive(asio::buffer(buffer),
                         [this](boost::system::error_code failed, std::size_t bytes) {
                           if (!failed) {
                             told.emplace_back(buffer.data(), bytes);
                             listen();
                           }
                         });
  }

  void append_setting(const std::string& name, const std::string& text) {
    const auto path = scratch.path(name + ".yaml");
    test::write_text(path, read_text(path) + text);
  }
  std::string log() const { return read_text(scratch.path("stderr")); }
  int count_in_log(const std::string& text) const {
    const std::string all = log();
    int count = 0;
    for (auto at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) {
      ++count;
    }
    return count;
  }

  /// So often, while no game goes on.
  bool is_logged_meanwhile(const std::string& text, int times = 1) const {
    return test::look_standing_still([&] { return count_in_log(text) >= times; });
  }

  bool was_told(const std::string& state) {
    return std::find(told.begin(), told.end(), state) != told.end();
  }

  test::Scratch scratch;
  asio::io_context context;
  asio::local::datagram_protocol::socket notify{
      context, asio::local::datagram_protocol::endpoint(scratch.path("notify"))};
  std::array<char, 4096> buffer{};
  std::vector<std::string> told;
  std::uint16_t server_port = 0;
  int games_over = 0;
  int moves = 0;
  rehearse::server::io::ServerShell server{
      context,
      {},
      {[this](const rehearse::server::GameReport& report) {
         games_over += std::holds_alternative<rehearse::server::GameEnded>(report) ? 1 : 0;
         moves += std::holds_alternative<rehearse::server::MovePlayed>(report) ? 1 : 0;
       },
       {}}};
};

TEST_F(RunTest, a_bot_reports_to_its_supervisor_and_leaves_on_the_first_signal) {
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"),
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1") && was_told("WATCHDOG=1"); }))
      << read_text(scratch.path("stderr"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  context.poll();
  EXPECT_THAT(told, Contains("STOPPING=1"));
  EXPECT_THAT(told, Contains(HasSubstr("STATUS=")));
  const auto log = read_text(scratch.path("stderr"));
  EXPECT_THAT(log, HasSubstr("signal_received: SIGTERM received"));
  EXPECT_THAT(log, HasSubstr("[alice] logged_in"));
}

TEST_F(RunTest, two_bots_in_one_process_finish_their_game_before_they_leave) {
  Program program(context,
                  {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml"), "--log-format",
                   "json"},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); }));
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("alice: nothing changed") == 1; }));
  ASSERT_TRUE(run_until(context, [&] { return games_over >= 1; }));
  program.send_signal(SIGINT);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  const auto log = read_text(scratch.path("stderr"));
  EXPECT_THAT(log, HasSubstr(R"("bot":"bob","code":"game_ended")"));
  EXPECT_GE(scratch.names("records").size(), 2U);

  // Each stored what it saw of the game, and waited for that.
  auto archive = games::io::Archive::open(scratch.path("records/games.db"),
                                           games::io::Archive::Access::read);
  ASSERT_TRUE(archive) << archive.error();
  for (const char* name : {"alice", "bob"}) {
    games::GameFilter filter;
    filter.bot = name;
    const auto games = archive->list(filter);
    ASSERT_TRUE(games) << games.error();
    ASSERT_GE(games->size(), 1U) << name;  // the next one may have begun before the signal was there
    EXPECT_NE(games->front().outcome, "none");
    EXPECT_TRUE(games->front().record_path.ends_with(".csa"));
    EXPECT_GT(games->front().plies, 0);
  }
}

TEST_F(RunTest, an_archive_that_cannot_be_written_costs_no_game) {
  append_setting("alice", "archive: {file: " + scratch.path("alice.yaml/games.db") + "}\n");
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("game_ended") >= 2; })) << log();
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("[alice] archive_failed") >= 1; })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(RunTest, games_wait_for_no_archive_that_another_program_keeps_for_itself) {
  std::filesystem::create_directory(scratch.path("records"));
  auto other = games::io::Database::open(scratch.path("records/games.db"),
                                          games::io::Database::Access::write, base::Millis{1});
  ASSERT_TRUE(other);
  ASSERT_FALSE(other->run("CREATE TABLE t(a); BEGIN EXCLUSIVE"));
  const auto start = [&](Program& program) {
    EXPECT_TRUE(run_until(context, [&] { return count_in_log("game_ended") >= 2; })) << log();
    EXPECT_TRUE(run_until(context, [&] { return count_in_log("archive_failed") >= 2; })) << log();
    // What is left to do is the archive: it is waited for, but not against a further signal.
    program.send_signal(SIGTERM);
    EXPECT_TRUE(run_until(context, [&] { return count_in_log("logged_out") + count_in_log("game_ended") >= 2; }));
  };
  {
    Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                    scratch.path("notify"), scratch.path("stderr"));
    start(program);
    ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }, std::chrono::seconds{45})) << log();
    EXPECT_EQ(program.status, 0) << log();
    EXPECT_THAT(log(), HasSubstr("left_unstored: "));
  }
  const int first_games = games_over;
  {
    Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                    scratch.path("notify"), scratch.path("stderr"));
    start(program);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (!program.status && std::chrono::steady_clock::now() < deadline) {
      program.send_signal(SIGTERM);
      context.run_for(std::chrono::milliseconds{10});
    }
    EXPECT_TRUE(program.status.has_value()) << log();
  }
  ASSERT_FALSE(other->run("ROLLBACK"));
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("archive_completed") == 1; })) << log();
  auto archive = games::io::Archive::open(scratch.path("records/games.db"), games::io::Archive::Access::read);
  ASSERT_TRUE(archive) << archive.error();
  games::GameFilter filter;
  filter.bot = "alice";
  EXPECT_GE(archive->list(filter)->size(), 2U) << first_games;
}

TEST_F(RunTest, a_bad_configuration_starts_nothing_at_all) {
  test::write_text(scratch.path("bad.yaml"), "server: {prot: 1}\n");
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bad.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 78);
  EXPECT_THAT(read_text(scratch.path("stderr")), HasSubstr("bad.yaml:1:"));
  EXPECT_THAT(read_text(scratch.path("stderr")), Not(HasSubstr("engine_ready")));
  EXPECT_TRUE(told.empty());
}

TEST_F(RunTest, a_changed_configuration_is_taken_at_once_when_no_game_runs) {
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"),
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); }));
  append_setting("alice", "time: {margin: 700ms}\nlog: {level: debug}\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("] logged_in") == 2; })) << log();
  EXPECT_THAT(log(), HasSubstr("reloaded: alice: time.margin: new from now on"));
  EXPECT_THAT(log(), HasSubstr("reload_needs_restart: alice: log.level: new"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(RunTest, a_changed_configuration_waits_for_the_end_of_the_game) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  append_setting("alice", "ponder: true\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(is_logged_meanwhile("alice: ponder: new as soon as the game is over")) << log();
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("[alice] engine_ready") == 2; })) << log();
  EXPECT_THAT(log(), HasSubstr("bob: nothing changed"));
  EXPECT_GE(games_over, 1);
  EXPECT_LT(log().find("[alice] game_ended: drawn"), log().rfind("[alice] engine_ready"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(RunTest, a_game_goes_into_the_archive_that_it_was_played_for) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 2; })) << log();
  append_setting("alice", "archive: {file: " + scratch.path("next.db") + "}\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(is_logged_meanwhile("new as soon as the game is over")) << log();
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("[alice] engine_ready") == 2; })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  auto archive = games::io::Archive::open(scratch.path("records/games.db"),
                                           games::io::Archive::Access::read);
  ASSERT_TRUE(archive) << archive.error();
  games::GameFilter filter;
  filter.bot = "alice";
  const auto games = archive->list(filter);
  ASSERT_TRUE(games) << games.error();
  EXPECT_EQ(games->size(), 1U);
}

TEST_F(RunTest, a_file_under_another_name_is_still_the_same_bot) {
  std::filesystem::create_directory(scratch.path("conf"));
  for (const char* name : {"alice.yaml", "bob.yaml"}) {
    std::filesystem::rename(scratch.path(name), scratch.path(std::string("conf/") + name));
  }
  Program program(context, {"run", scratch.path("conf")}, scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); })) << log();
  std::filesystem::rename(scratch.path("conf/alice.yaml"), scratch.path("conf/z.yaml"));
  append_setting("conf/z", "time: {margin: 700ms}\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("reloaded: ") == 2; })) << log();
  EXPECT_THAT(log(), HasSubstr("reloaded: alice: time.margin: new"));
  EXPECT_THAT(log(), HasSubstr("reloaded: bob: nothing changed"));

  std::filesystem::rename(scratch.path("conf/z.yaml"), scratch.path("z.yaml"));
  test::write_text(scratch.path("conf/carol.yaml"), read_text(scratch.path("z.yaml")) + "name: carol\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("reload_refused") == 1; })) << log();
  EXPECT_THAT(log(), HasSubstr("new: \"carol\"; gone: \"alice\": restart to begin, end or rename bots; nothing was changed"));
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(RunTest, a_bad_configuration_changes_nothing_in_a_running_bot) {
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"),
                  scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); }));
  std::string good = read_text(scratch.path("alice.yaml"));
  append_setting("alice", "time: {margin: soon}\n");
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("reload_refused") == 1; }));
  EXPECT_THAT(log(), HasSubstr("alice.yaml:6:16: time.margin: "));
  EXPECT_THAT(log(), HasSubstr("; nothing was changed"));
  test::write_text(scratch.path("alice.yaml"),
                   good.insert(good.find('}'), ", tls: {ca_file: " + scratch.path("none.pem") + "}"));
  program.send_signal(SIGHUP);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("reload_refused") == 2; })) << log();
  EXPECT_THAT(log(), HasSubstr(": server.tls: the file of authorities")) << "what check refuses is refused here too";
  program.send_signal(SIGUSR1);
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("state: alice: waiting") == 1; }));
  EXPECT_EQ(count_in_log("] logged_in"), 1);
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

TEST_F(RunTest, a_second_signal_resigns_the_game_and_the_program_leaves_in_order) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 1; })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(is_logged_meanwhile("signal_received", 1)) << log();
  program.send_signal(SIGINT);
  ASSERT_TRUE(is_logged_meanwhile("signal_received", 2)) << log();
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0) << log();
  EXPECT_THAT(log(), HasSubstr("(#RESIGN)"));
}

TEST_F(RunTest, a_third_signal_ends_the_program_at_once_and_it_says_so) {
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 1; })) << log();
  // The server's loop stands still from here on, so that nobody answers the resignation.
  for (int signal = 1; signal <= 3; ++signal) {
    program.send_signal(SIGTERM);
    ASSERT_TRUE(is_logged_meanwhile("signal_received", signal)) << log();
  }
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 75) << log();
}

TEST_F(RunTest, a_game_is_resigned_when_the_limit_of_the_drain_is_over) {
  for (const char* name : {"alice", "bob"}) {
    append_setting(name, "stop: {drain_limit: 1s}\n");
    const auto path = scratch.path(std::string(name) + ".yaml");
    std::string text = read_text(path);
    text.replace(text.find("'20'"), 4, "'700'");
    test::write_text(path, text);
  }
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return moves >= 1; })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  EXPECT_THAT(log(), HasSubstr("the game is finished first, for at most 1 s"));
  EXPECT_THAT(log(), HasSubstr("resigning: the time to finish it (stop.drain_limit) is over"));
  EXPECT_THAT(log(), HasSubstr("(#RESIGN)"));
}

/// One bot's trouble of each kind, beside two that play.
TEST_F(RunTest, bots_that_cannot_play_touch_no_other) {
  const std::map<std::string, std::string> bad{
      {"gone", "engine: {command: [/nonexistent/engine]}\n"},
      {"dies", std::string("engine: {command: [") + test::fake_engine_binary() + ", --no-readyok], ready_timeout: 1s}\n"},
      {"lonely", std::string("engine: {command: [") + test::fake_engine_binary() + "]}\n"},
      {"blocked", std::string("engine: {command: [") + test::fake_engine_binary() + "]}\nrecords: {directory: " +
                      scratch.path("alice.yaml/records") + "}\njournal: {directory: " +
                      scratch.path("alice.yaml/journal") + "}\n"}};
  std::vector<std::string> arguments{"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")};
  for (const auto& [name, settings] : bad) {
    const std::string port = name == "lonely" ? "1" : std::to_string(server_port);
    test::write_text(scratch.path(name + ".yaml"), "server: {host: 127.0.0.1, port: " + port + "}\n" +
                                                       "account: {name: " + name + "}\n" +
                                                       "game: {name: " + name + "-600-10}\n" + settings);
    arguments.push_back(scratch.path(name + ".yaml"));
  }
  Program program(context, arguments, scratch.path("notify"), scratch.path("stderr"));
  // Each has been tried: those that play are no less ready for the others' troubles.
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); })) << log();
  ASSERT_TRUE(run_until(context, [&] { return games_over >= 1; })) << log();
  ASSERT_TRUE(run_until(context, [&] {
    return count_in_log("[gone] engine_given_up") == 1 && count_in_log("[lonely] retrying") >= 1 &&
           count_in_log("[blocked] journal_failed") >= 1;
  })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 69) << "that of the bot without an engine";
  EXPECT_EQ(count_in_log("[alice] engine_lost:"), 0);
  EXPECT_EQ(count_in_log("[alice] retrying:"), 0);
  EXPECT_EQ(std::count(told.begin(), told.end(), "READY=1"), 1);
}

TEST_F(RunTest, a_bot_that_takes_long_keeps_the_process_from_being_ready_only_for_a_while) {
  std::string slow = read_text(scratch.path("bob.yaml"));
  slow.replace(slow.find("--think-ms, '20'"), 16, "--no-readyok");
  test::write_text(scratch.path("bob.yaml"), slow);
  Program program(context, {"run", "--ready-within", "1", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); })) << log();
  EXPECT_EQ(count_in_log("[bob] engine_lost"), 0) << "bob has not been tried yet";
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
}

TEST_F(RunTest, two_bots_of_one_process_are_not_played_against_each_other) {
  for (const char* name : {"alice", "bob"}) {
    const auto path = scratch.path(std::string(name) + ".yaml");
    std::string text = read_text(path);
    text.replace(text.find(", meet_own: true"), 16, "");
    test::write_text(path, text);
  }
  Program program(context, {"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                  scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("own_bot_rejected") >= 1; })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
  EXPECT_EQ(moves, 0);
}

TEST_F(RunTest, the_supervisor_is_told_in_the_language_of_the_log) {
  append_setting("alice", "log: {language: ja}\n");
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] {
    return std::any_of(told.begin(), told.end(), [](const std::string& text) {
      return text.starts_with("STATUS=対局待ち(");
    });
  })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
}

TEST_F(RunTest, a_bot_waits_for_its_window_and_is_ready_all_the_same) {
  // Twelve hours away from now, wherever the clock stands.
  const auto now = std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now());
  const auto away = (now.time_since_epoch() + std::chrono::hours{12}) % std::chrono::days{1};
  const auto hour = std::chrono::duration_cast<std::chrono::hours>(away).count();
  const std::string from = (hour < 10 ? "0" : "") + std::to_string(hour);
  append_setting("alice", "schedule: {windows: '" + from + ":00-" + from + ":59', time_zone: UTC}\n");
  Program program(context, {"run", scratch.path("alice.yaml")}, scratch.path("notify"), scratch.path("stderr"));
  ASSERT_TRUE(run_until(context, [&] { return was_told("READY=1"); })) << log();
  ASSERT_TRUE(run_until(context, [&] { return count_in_log("resting: ") == 1; })) << log();
  EXPECT_EQ(count_in_log("logged_in"), 0);
  ASSERT_TRUE(run_until(context, [&] {
    return std::any_of(told.begin(), told.end(), [](const std::string& text) {
      return text.starts_with("STATUS=waiting for its window until ");
    });
  })) << log();
  program.send_signal(SIGTERM);
  ASSERT_TRUE(run_until(context, [&] { return program.status.has_value(); }));
  EXPECT_EQ(program.status, 0);
}

}  // namespace
}  // namespace kakehashi
