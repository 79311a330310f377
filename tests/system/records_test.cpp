// Records that wait for the disk behind the loop's back: told in order, never waited for, and never lost,
// however long the disk takes.
#include "bridge/io/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bridge/io/disk_thread.hpp"
#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::bridge::io {
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
    callbacks.written = [this](const RecordWritten& written) {
      told.push_back(name_of(written.path) + " " + written.why);
    };
    callbacks.idle = [this] { ++idle; };
    records.emplace(*context, RecordWriter(scratch.path("records")), std::move(callbacks));
  }

  static std::string name_of(const std::string& path) {
    return path.substr(path.find_last_of('/') + 1);
  }

  void finish(FinishRecord record) {
    records->finish(record, [this](const std::string& path) { finished.push_back(name_of(path)); });
  }

  /// From now on the disk's thread does nothing until free_disk().
  void keep_disk_busy() {
    std::promise<void> closed;
    ASSERT_TRUE(DiskThread::of(*context).post([&closed, gate = gate.get_future().share()] {
      closed.set_value();
      gate.wait();
    }));
    closed.get_future().wait();
  }
  void free_disk() { gate.set_value(); }
  void settle() {
    ASSERT_TRUE(test::run_until(*context, [&] { return !records->is_busy(); }));
  }

  static FinishRecord whole(const char* text) { return {{{".csa", text}}}; }

  test::Scratch scratch;
  std::promise<void> gate;
  std::vector<std::string> told;
  std::vector<std::string> finished;
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
  EXPECT_TRUE(records->is_busy());
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "first\n+7776FU\n");
  records->begin({"game", {".csa"}, "second\n"});
  records->append({"+2726FU\n"});
  EXPECT_EQ(read_text(scratch.path("records/game-2.csa")), "second\n+2726FU\n");
  EXPECT_THAT(told, ElementsAre("game.csa ", "game.csa ", "game-2.csa ", "game-2.csa "));
  EXPECT_THAT(finished, IsEmpty());

  free_disk();
  settle();
  EXPECT_THAT(finished, ElementsAre("game_won.csa"));
  EXPECT_EQ(read_text(scratch.path("records/game_won.csa")), "first, whole\n");
  EXPECT_EQ(read_text(scratch.path("records/game-2.csa")), "second\n+2726FU\n");
  EXPECT_THAT(told, SizeIs(4)) << "the core knows of the present game's record";
  EXPECT_EQ(idle, 1);
}

TEST_F(RecordsTest, a_record_that_is_begun_anew_in_its_game_is_replaced_and_grows_behind_that) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  records->append({"+7776FU\n"});
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2, anew\n"});
  records->append({"+2726FU\n"});
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2\n+7776FU\n");
  EXPECT_THAT(told, SizeIs(2));
  free_disk();
  settle();
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2, anew\n+2726FU\n");
  EXPECT_THAT(told, SizeIs(4));
}

TEST_F(RecordsTest, what_fails_is_told_of_an_earlier_game_too) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "first\n"});
  finish({});
  records->begin({"next", {".csa"}, "second\n"});
  free_disk();
  settle();
  EXPECT_THAT(told, ElementsAre("game.csa ", "next.csa ", HasSubstr("no game")));
}

TEST_F(RecordsTest, a_record_without_a_game_is_a_fault_that_is_told) {
  finish(whole("nothing\n"));
  settle();
  EXPECT_THAT(told, ElementsAre(HasSubstr("no game")));
}

TEST_F(RecordsTest, what_waits_for_the_disk_is_written_even_when_nobody_waits) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2\n"});
  told.clear();
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
  std::vector<std::string> notes;
  records->work_behind(
      [path = scratch.path("records/game.csa")] {
        return std::vector<Note>{{Level::info, "seen", read_text(path), {}}};
      },
      [&](const Note& note) { notes.push_back(note.text); });
  settle();
  EXPECT_THAT(notes, ElementsAre("the whole\n"));
}

TEST_F(RecordsTest, a_game_that_ends_while_no_more_may_wait_costs_the_end_of_its_record_only) {
  keep_disk_busy();
  records->begin({"game", {".csa"}, "V2.2\n"});
  while (DiskThread::of(*context).post([] {})) {
  }
  records->append({"+7776FU\n"});
  told.clear();
  finish(whole("the whole\n"));
  EXPECT_THAT(told, ElementsAre(HasSubstr("the disk is too far behind")));
  EXPECT_THAT(finished, ElementsAre(""));
  records->begin({"next", {".csa"}, "second\n"});
  free_disk();
  while (!DiskThread::of(*context).post([] {})) {
    std::this_thread::yield();
  }
  finish(whole("the whole second\n"));
  settle();
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2\n+7776FU\n");
  EXPECT_EQ(read_text(scratch.path("records/next.csa")), "the whole second\n");
}

}  // namespace
}  // namespace kakehashi::bridge::io
