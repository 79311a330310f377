// Records that wait for the disk behind the loop's back: told in order, never waited for, and never lost,
// however long the disk takes.
#include "journal/io/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/io/threads.hpp"
#include "tests/system/look_until.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::journal::io {
namespace {

using test::read_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RecordsTest : public testing::Test {
 protected:
  RecordsTest() { open(); }

  void open() {
    Records::Callbacks callbacks;
    callbacks.written = [this](const bridge::RecordWritten& written) {
      told.push_back(name_of(written.path) + " " + written.why.english());
    };
    callbacks.idle = [this] { ++idle; };
    callbacks.made_up = [this](const std::string& path) { made_up.push_back(name_of(path)); };
    records.emplace(*context, RecordWriter(scratch.path("records")), std::move(callbacks), base::Millis{20});
  }

  static std::string name_of(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
  }

  void finish(bridge::FinishRecord record) {
    records->finish(record, [this](const std::string& path) { finished.push_back(name_of(path)); });
  }

  /// From now on the disk's thread does nothing until free_disk().
  void keep_disk_busy() {
    std::promise<void> closed;
    ASSERT_TRUE(base::io::DiskThread::of(*context).post([&closed, gate = gate.get_future().share()] {
      closed.set_value();
      gate.wait();
    }));
    closed.get_future().wait();
  }
  void free_disk() { gate.set_value(); }
  void settle() {
    ASSERT_TRUE(test::look_until(*context, [&] { return !records->is_busy(); }));
  }

  static bridge::FinishRecord whole(const char* text) { return {{{".csa", text}}}; }

  test::Scratch scratch;
  std::promise<void> gate;
  std::vector<std::string> told;
  std::vector<std::string> finished;
  std::vector<std::string> made_up;
  int idle = 0;
  std::optional<boost::asio::io_context> context{std::in_place};
  std::optional<Records> records;
};

TEST_F(RecordsTest, the_loop_never_waits_while_games_begin_grow_and_end_on_a_disk_that_stands_still) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "first\n"});
  records->append({"+7776FU\n"});
  auto renamed = whole("first, whole\n");
  renamed.stem = "game_won";
  finish(renamed);
  records->begin({"game", {".csa"}, "second\n"});
  records->append({"+2726FU\n"});
  EXPECT_THAT(told, IsEmpty());
  const auto is_there = [&] {
    return read_text(scratch.path("records/game.csa")) == "first\n+7776FU\n" &&
           read_text(scratch.path("records/game-2.csa")) == "second\n+2726FU\n";
  };
  ASSERT_TRUE(test::look_until(*context, [&] { return is_there() && !told.empty(); }));
  EXPECT_TRUE(records->is_busy());
  EXPECT_THAT(told, ElementsAre("game-2.csa ")) << "the core knows of the present game's record";
  EXPECT_THAT(finished, IsEmpty());

  free_disk();
  settle();
  EXPECT_THAT(finished, ElementsAre("game_won.csa"));
  EXPECT_EQ(read_text(scratch.path("records/game_won.csa")), "first, whole\n");
  EXPECT_EQ(read_text(scratch.path("records/game-2.csa")), "second\n+2726FU\n");
  EXPECT_THAT(told, SizeIs(1));
  EXPECT_EQ(idle, 1);
}

TEST_F(RecordsTest, a_record_that_is_begun_anew_in_its_game_is_replaced_and_grows_behind_that) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  records->append({"+7776FU\n"});
  records->begin({"game", {".csa"}, "V2.2, anew\n"});
  records->append({"+2726FU\n"});
  settle();
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2, anew\n+2726FU\n");
  EXPECT_THAT(told, SizeIs(2)) << "that it grows is no news";
}

TEST_F(RecordsTest, what_fails_is_told_of_an_earlier_game_too) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "first\n"});
  finish({});
  records->begin({"next", {".csa"}, "second\n"});
  free_disk();
  settle();
  EXPECT_THAT(told, testing::UnorderedElementsAre(HasSubstr("no game"), "next.csa "));
}

TEST_F(RecordsTest, who_leaves_hears_when_the_last_move_is_written_though_that_is_no_news) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  settle();
  idle = 0;
  records->append({"+7776FU\n"});
  records->close();
  ASSERT_TRUE(test::look_until(*context, [&] { return idle > 0; }));
  EXPECT_FALSE(records->is_busy());
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2\n+7776FU\n");
}

TEST_F(RecordsTest, what_cannot_be_added_is_told) {
  records->append({"+7776FU\n"});
  settle();
  EXPECT_THAT(told, ElementsAre(HasSubstr("no record file")));
}

TEST_F(RecordsTest, a_record_without_a_game_is_a_fault_that_is_told) {
  finish(whole("nothing\n"));
  settle();
  EXPECT_THAT(told, ElementsAre(HasSubstr("no game")));
}

/// As a disk that is full: no file may grow.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    rlimit full = before_;
    full.rlim_cur = 0;
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
};

TEST_F(RecordsTest, what_a_full_disk_left_undone_at_a_games_end_is_done_when_there_is_space) {
  records->begin({"game", {".csa", ".kifu"}, "V2.2\n"});
  settle();
  bridge::FinishRecord record{{{".csa", "the whole\n"}, {".kifu", "all of it\n"}}};
  record.stem = "game_won";
  {
    const FullDisk full;
    finish(record);
    settle();
    EXPECT_THAT(told.back(), HasSubstr("File too large"));
    EXPECT_THAT(finished, ElementsAre("game.csa"));
    context->run_for(std::chrono::milliseconds{100});
    EXPECT_THAT(made_up, IsEmpty());
    EXPECT_THAT(told, SizeIs(2)) << "it is told once";
  }
  ASSERT_TRUE(test::look_until(*context, [&] { return !made_up.empty(); }));
  EXPECT_THAT(made_up, ElementsAre("game_won.csa"));
  EXPECT_THAT(finished, SizeIs(1));
  EXPECT_EQ(read_text(scratch.path("records/game_won.csa")), "the whole\n");
  EXPECT_EQ(read_text(scratch.path("records/game_won.kifu")), "all of it\n");
  EXPECT_THAT(scratch.names("records"), SizeIs(2));
}

TEST_F(RecordsTest, a_bot_that_leaves_tries_once_more_and_then_no_more) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  settle();
  const FullDisk full;
  finish(whole("the whole\n"));
  settle();
  records->close();
  context->restart();
  context->run();
  EXPECT_FALSE(records->is_busy());
  EXPECT_THAT(made_up, IsEmpty());
}

TEST_F(RecordsTest, what_waits_for_the_disk_is_written_even_when_nobody_waits) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2\n"});
  finish(whole("the whole\n"));
  records.reset();
  free_disk();
  context->run();
  context.reset();
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(finished, IsEmpty());
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
}

TEST_F(RecordsTest, another_directory_counts_from_the_next_game_on) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2\n"});
  finish(whole("the whole\n"));
  records->renew(RecordWriter(scratch.path("elsewhere")));
  records->begin({"game", {".csa"}, "second\n"});
  free_disk();
  settle();
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
  EXPECT_EQ(read_text(scratch.path("elsewhere/game.csa")), "second\n");
}

TEST_F(RecordsTest, other_work_on_files_comes_in_its_turn_and_what_it_says_is_told) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  finish(whole("the whole\n"));
  const auto seen = std::make_shared<std::string>();
  std::string told_then;
  records->work_behind([path = scratch.path("records/game.csa"), seen] { *seen = read_text(path); },
                       [&told_then, seen] { told_then = *seen; });
  settle();
  EXPECT_EQ(told_then, "the whole\n");
}

TEST_F(RecordsTest, a_game_that_ends_while_no_more_may_wait_has_its_end_when_there_is_room) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2\n"});
  while (base::io::DiskThread::of(*context).post([] {})) {
  }
  finish(whole("the whole\n"));
  ASSERT_TRUE(test::look_until(*context, [&] { return !finished.empty(); }));
  EXPECT_THAT(told.back(), HasSubstr("the disk is too far behind"));
  free_disk();
  ASSERT_TRUE(test::look_until(*context, [&] { return !made_up.empty(); }));
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
}

}  // namespace
}  // namespace kakehashi::journal::io
