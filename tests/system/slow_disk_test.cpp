// A disk that stands still for whole games: no game waits for it, and no record is lost by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rehearsal/io/server_shell.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi {
namespace {

namespace asio = boost::asio;
using test::Program;
using test::read_text;
using test::run_until;
using testing::HasSubstr;
using testing::Not;

class SlowDisk : public testing::Test {
 protected:
  SlowDisk() {
    const auto port = server.start();
    EXPECT_TRUE(port);
    for (const std::string name : {"alice", "bob"}) {
      test::write_text(scratch.path(name + ".yaml"),
                       "server: {host: 127.0.0.1, port: " + std::to_string(*port) + "}\n" +
                           "account: {name: " + name + "}\n" +
                           "game: {name: test-600-10, meet_own: true}\n" + "engine: {command: [" +
                           KAKEHASHI_FAKE_ENGINE + "]}\n" +
                           "records: {directory: " + scratch.path(name) + ", formats: [csa, kifu]}\n" +
                           "journal: {directory: " + scratch.path("journal") + "}\n" +
                           "log: {level: warn}\n");
    }
  }

  /// Both bots, on a disk that stands still until free_disk().
  void start() {
    test::write_text(scratch.path("slow"), "");
    program.emplace(context,
                    std::vector<std::string>{"run", scratch.path("alice.yaml"), scratch.path("bob.yaml")},
                    "", scratch.path("stderr"),
                    std::vector<std::string>{std::string("LD_PRELOAD=") + KAKEHASHI_SLOW_DISK,
                                             "KAKEHASHI_SLOW_DISK=" + scratch.path("slow")});
  }
  void free_disk() const { std::filesystem::remove(scratch.path("slow")); }

  void leave() {
    program->send_signal(SIGTERM);
    ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); })) << log();
    EXPECT_EQ(program->status, 0) << log();
  }

  std::string log() const { return read_text(scratch.path("stderr")); }

  void expect_whole_records() const {
    for (const char* name : {"alice", "bob"}) {
      const std::set<std::string> ended_games(ended.begin(), ended.end());
      std::set<std::string> found;
      for (const std::string& file : scratch.names(name)) {
        const std::string text = read_text(scratch.path(name) + "/" + file);
        for (const std::string& id : ended_games) {
          if (file.ends_with(".csa") && text.find(id) != std::string::npos) {
            found.insert(id);
            EXPECT_THAT(text, HasSubstr("\n%SENNICHITE\n")) << file;
          }
        }
      }
      EXPECT_EQ(found, ended_games) << name;
    }
  }

  test::Scratch scratch;
  asio::io_context context;
  std::vector<std::string> ended;  ///< games, by repetition as they all do
  std::optional<Program> program;
  rehearsal::io::ServerShell server{context,
                                    {},
                                    {[this](const rehearsal::GameReport& report) {
                                       if (const auto* over =
                                               std::get_if<rehearsal::GameEnded>(&report)) {
                                         ended.push_back(over->game_id);
                                       }
                                     },
                                     {}}};
};

TEST_F(SlowDisk, games_follow_each_other_while_the_disk_stands_still_and_their_records_come_behind) {
  start();
  ASSERT_TRUE(run_until(context, [&] { return ended.size() >= 3; })) << log();
  program->send_signal(SIGTERM);
  free_disk();
  leave();
  expect_whole_records();
  EXPECT_THAT(log(), Not(HasSubstr("record")));
}

TEST_F(SlowDisk, a_process_that_is_killed_meanwhile_leaves_all_that_its_records_lack_in_the_journal) {
  start();
  ASSERT_TRUE(run_until(context, [&] { return ended.size() >= 3; })) << log();
  program->send_signal(SIGKILL);
  ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); }));
  free_disk();
  ended.resize(2);  // the end of the third may not have been heard
  start();
  free_disk();
  ASSERT_TRUE(run_until(context, [&] { return ended.size() > 2; })) << log();
  leave();
  EXPECT_THAT(log(), HasSubstr("record_completed"));
  expect_whole_records();
}

}  // namespace
}  // namespace kakehashi
