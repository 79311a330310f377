// A disk that stands still for whole games: no game waits for it, and no record is lost by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "rehearse/server/io/server_shell.hpp"
#include "tests/places.hpp"
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
                           test::fake_engine_binary() + "]}\n" +
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
                    std::vector<std::string>{std::string("LD_PRELOAD=") + test::slow_disk(),
                                             "KAKEHASHI_SLOW_DISK=" + scratch.path("slow")});
  }
  /// The same, but not a single call on a file of theirs comes back while the disk stands still: records,
  /// journals, log, configuration, a webhook's address, and a book that is asked at each move.
  void start_on_network_disk() {
    std::filesystem::create_directory(scratch.path("disk"));
    test::write_private(scratch.path("disk/url"), "http://127.0.0.1:1/nobody\n");
    test::write_text(scratch.path("disk/book.db"),
                     "#YANEURAOU-DB2016 1.00\nsfen 8k/9/9/9/9/9/9/9/K8 b - 1\n9i9h none 0 0\n");
    for (const std::string name : {"alice", "bob"}) {
      std::string text = read_text(scratch.path(name + ".yaml"));
      for (const char* folder : {"alice,", "bob,", "journal}"}) {
        const auto at = text.find(scratch.path(folder));
        if (at != std::string::npos) {
          text.replace(at, scratch.path("").size(), scratch.path("disk/"));
        }
      }
      text.replace(text.find("log: {level: warn}"), std::string::npos,
                   "log: {level: debug, file: " + scratch.path("disk/" + name + ".log") + "}\n" +
                       "book: {file: " + scratch.path("disk/book.db") + ", on_the_fly: true}\n" +
                       "notify: [{url_file: " + scratch.path("disk/url") + ", events: [result]}]\n");
      test::write_text(scratch.path("disk/" + name + ".yaml"), text);
    }
    program.emplace(context,
                    std::vector<std::string>{"run", scratch.path("disk/alice.yaml"), scratch.path("disk/bob.yaml")},
                    "", scratch.path("stderr"),
                    std::vector<std::string>{std::string("LD_PRELOAD=") + test::slow_disk(),
                                             "KAKEHASHI_SLOW_DISK=" + scratch.path("slow"),
                                             "KAKEHASHI_SLOW_FOLDER=" + scratch.path("disk")});
  }
  void stop_disk() const { test::write_text(scratch.path("slow"), ""); }
  void free_disk() const { std::filesystem::remove(scratch.path("slow")); }

  /// One signal, while the disk may stand still yet: a further one would mean to leave without the records.
  void leave() {
    program->send_signal(SIGTERM);
    free_disk();
    ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); })) << log();
    EXPECT_EQ(program->status, 0) << log();
  }

  std::string log() const { return read_text(scratch.path("stderr")); }

  void expect_whole_records(const std::string& folder = "") const {
    for (const std::string& name : {folder + "alice", folder + "bob"}) {
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
  rehearse::server::io::ServerShell server{context,
                                    {},
                                    {[this](const rehearse::server::GameReport& report) {
                                       if (const auto* over =
                                               std::get_if<rehearse::server::GameEnded>(&report)) {
                                         ended.push_back(over->game_id);
                                       }
                                     },
                                     {}}};
};

TEST_F(SlowDisk, games_follow_each_other_while_the_disk_stands_still_and_their_records_come_behind) {
  start();
  ASSERT_TRUE(run_until(context, [&] { return ended.size() >= 3; })) << log();
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

TEST_F(SlowDisk, no_call_on_a_file_holds_up_a_game) {
  start_on_network_disk();
  ASSERT_TRUE(run_until(context, [&] { return !ended.empty(); })) << log();
  stop_disk();
  program->send_signal(SIGHUP);
  const std::size_t before = ended.size();
  // Of the games that end now one had begun before; the others begin and end while nothing is written.
  ASSERT_TRUE(run_until(context, [&] { return ended.size() >= before + 3; })) << log();
  leave();
  expect_whole_records("disk/");
  EXPECT_THAT(read_text(scratch.path("disk/alice.log")), HasSubstr(ended.back()));
  EXPECT_THAT(read_text(scratch.path("disk/alice.log")), Not(HasSubstr("were lost")));
  EXPECT_THAT(read_text(scratch.path("disk/alice.log")), HasSubstr("reloaded: alice: nothing changed"));
  for (const std::string& name : scratch.names("disk/journal")) {
    const auto contents = journal::read(read_text(scratch.path("disk/journal/" + name)));
    EXPECT_THAT(contents.faults, testing::IsEmpty()) << name;
    EXPECT_FALSE(contents.is_torn) << name;
  }
}

TEST_F(SlowDisk, a_process_whose_disk_never_comes_back_leaves_at_a_further_signal) {
  start_on_network_disk();
  ASSERT_TRUE(run_until(context, [&] { return !ended.empty(); })) << log();
  stop_disk();
  for (int i = 0; i < 1'000 && !program->status; ++i) {
    program->send_signal(SIGTERM);
    context.run_for(std::chrono::milliseconds{50});
  }
  EXPECT_TRUE(program->status.has_value());
}

}  // namespace
}  // namespace kakehashi
