// A disk that stands still for whole games: no game waits for it, and no record is lost by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "journal/journal.hpp"
#include "tests/places.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"
#include "tests/system/two_bots.hpp"

namespace kakehashi {
namespace {

using test::read_text;
using test::run_until;
using testing::HasSubstr;
using testing::Not;

class SlowDisk : public test::TwoBots {
 protected:
  SlowDisk() {
    for (const std::string bot : {"alice", "bob"}) {
      configure(bot, {.records = ", formats: [csa, kifu]", .lines = "log: {level: warn}\n"});
    }
  }

  /// Both bots, on a disk that stands still until free_disk().
  void start_on_slow_disk() {
    stop_disk();
    start({std::string("LD_PRELOAD=") + test::slow_disk(), "KAKEHASHI_SLOW_DISK=" + scratch.path("slow")});
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
    start({std::string("LD_PRELOAD=") + test::slow_disk(), "KAKEHASHI_SLOW_DISK=" + scratch.path("slow"),
           "KAKEHASHI_SLOW_FOLDER=" + scratch.path("disk")},
          {"disk/alice", "disk/bob"});
  }
  void stop_disk() const { test::write_text(scratch.path("slow"), ""); }
  void free_disk() const { std::filesystem::remove(scratch.path("slow")); }

  /// One signal, while the disk may stand still yet: a further one would mean to leave without the records.
  void leave() {
    program->send_signal(SIGTERM);
    free_disk();
    end_in_order();
  }

  void expect_whole_records(const std::string& folder = "") const {
    for (const std::string& name : {folder + "alice", folder + "bob"}) {
      const std::set<std::string> ended_games(witness.ended.begin(), witness.ended.end());
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
};

TEST_F(SlowDisk, games_follow_each_other_while_the_disk_stands_still_and_their_records_come_behind) {
  start_on_slow_disk();
  ASSERT_TRUE(run_until(context, [&] { return witness.ended.size() >= 3; })) << log();
  leave();
  expect_whole_records();
  EXPECT_THAT(log(), Not(HasSubstr("record")));
}

TEST_F(SlowDisk, a_process_that_is_killed_meanwhile_leaves_all_that_its_records_lack_in_the_journal) {
  start_on_slow_disk();
  ASSERT_TRUE(run_until(context, [&] { return witness.ended.size() >= 3; })) << log();
  program->send_signal(SIGKILL);
  ASSERT_TRUE(run_until(context, [&] { return program->status.has_value(); }));
  free_disk();
  witness.ended.resize(2);  // the end of the third may not have been heard
  start_on_slow_disk();
  free_disk();
  ASSERT_TRUE(run_until(context, [&] { return witness.ended.size() > 2; })) << log();
  leave();
  EXPECT_THAT(log(), HasSubstr("record_completed"));
  expect_whole_records();
}

TEST_F(SlowDisk, no_call_on_a_file_holds_up_a_game) {
  start_on_network_disk();
  ASSERT_TRUE(run_until(context, [&] { return !witness.ended.empty(); })) << log();
  stop_disk();
  program->send_signal(SIGHUP);
  const std::size_t before = witness.ended.size();
  // Of the games that end now one had begun before; the others begin and end while nothing is written.
  ASSERT_TRUE(run_until(context, [&] { return witness.ended.size() >= before + 3; })) << log();
  free_disk();
  const std::string log_file = scratch.path("disk/alice.log");
  ASSERT_TRUE(test::look_until(context, [&] { return read_text(log_file).find("reloaded: alice: nothing changed") != std::string::npos; }));
  stop_disk();
  leave();
  expect_whole_records("disk/");
  EXPECT_THAT(read_text(log_file), HasSubstr(witness.ended.back()));
  EXPECT_THAT(read_text(log_file), Not(HasSubstr("were lost")));
  for (const std::string& name : scratch.names("disk/journal")) {
    const auto contents = journal::read(read_text(scratch.path("disk/journal/" + name)));
    EXPECT_THAT(contents.faults, testing::IsEmpty()) << name;
    EXPECT_FALSE(contents.is_torn) << name;
  }
}

TEST_F(SlowDisk, a_process_whose_disk_never_comes_back_leaves_at_a_further_signal) {
  start_on_network_disk();
  ASSERT_TRUE(run_until(context, [&] { return !witness.ended.empty(); })) << log();
  stop_disk();
  for (int i = 0; i < 1'000 && !program->status; ++i) {
    program->send_signal(SIGTERM);
    context.run_for(std::chrono::milliseconds{50});
  }
  EXPECT_TRUE(program->status.has_value());
}

}  // namespace
}  // namespace kakehashi
