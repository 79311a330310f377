// Records that are finished behind the loop's back: told in order, waited for where it matters, and never
// lost, however long the disk takes.
#include "bridge/io/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "tests/system/loop.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::bridge::io {
namespace {

using test::read_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RecordsTest : public testing::Test {
 protected:
  RecordsTest() { open(); }

  void open() {
    records.emplace(*context, RecordWriter(scratch.path("records")), [this](const RecordWritten& written) {
      told.push_back(written.path.substr(written.path.find_last_of('/') + 1) + " " + written.why);
    });
  }

  /// From now on the disk's thread does nothing until free_disk().
  void keep_disk_busy() {
    ASSERT_TRUE(DiskThread::of(*context).post([gate = gate.get_future().share()] { gate.wait(); }));
  }
  void free_disk() { gate.set_value(); }

  static FinishRecord whole(const char* text) { return {{{".csa", text}}}; }

  test::Scratch scratch;
  std::promise<void> gate;
  std::vector<std::string> told;
  std::optional<boost::asio::io_context> context{std::in_place};
  std::optional<Records> records;
};

TEST_F(RecordsTest, a_record_is_finished_while_the_loop_goes_on) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  records->append({"+7776FU\n"});
  EXPECT_THAT(told, ElementsAre("game.csa ", "game.csa "));
  keep_disk_busy();
  records->finish(whole("the whole\n"));
  EXPECT_TRUE(records->is_finishing());
  EXPECT_THAT(told, testing::SizeIs(2));
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "V2.2\n+7776FU\n");

  free_disk();
  ASSERT_TRUE(test::run_until(*context, [&] { return !records->is_finishing(); }));
  EXPECT_THAT(told, ElementsAre("game.csa ", "game.csa ", "game.csa "));
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
}

TEST_F(RecordsTest, the_next_game_begins_behind_the_one_that_is_being_finished) {
  records->begin({"game", {".csa"}, "first\n"});
  auto renamed = whole("first, whole\n");
  renamed.stem = "game_won";
  records->finish(renamed);
  records->begin({"game", {".csa"}, "second\n"});
  EXPECT_THAT(told, ElementsAre("game.csa ", "game_won.csa ", "game.csa "));
  EXPECT_FALSE(records->is_finishing());
  EXPECT_EQ(read_text(scratch.path("records/game_won.csa")), "first, whole\n");
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "second\n");

  context->run();  // the news of the first come again, to nobody
  EXPECT_THAT(told, testing::SizeIs(3));
}

TEST_F(RecordsTest, a_record_without_a_game_is_a_fault_that_is_told) {
  records->finish(whole("nothing\n"));
  ASSERT_TRUE(test::run_until(*context, [&] { return !records->is_finishing(); }));
  EXPECT_THAT(told, ElementsAre(HasSubstr("no game")));
}

TEST_F(RecordsTest, what_is_being_finished_is_written_even_when_nobody_waits) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  told.clear();
  keep_disk_busy();
  records->finish(whole("the whole\n"));
  records.reset();
  free_disk();
  context->run();
  context.reset();
  EXPECT_THAT(told, IsEmpty());
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
}

TEST_F(RecordsTest, another_directory_counts_from_the_next_game_on) {
  records->begin({"game", {".csa"}, "V2.2\n"});
  records->finish(whole("the whole\n"));
  records->renew(RecordWriter(scratch.path("elsewhere")));
  records->begin({"game", {".csa"}, "second\n"});
  EXPECT_EQ(read_text(scratch.path("records/game.csa")), "the whole\n");
  EXPECT_EQ(read_text(scratch.path("elsewhere/game.csa")), "second\n");
}

}  // namespace
}  // namespace kakehashi::bridge::io
