// The archives of a process: no finished game is left out because others wait or because the file could not
// be written for a while.
#include "games/io/archive_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "games/io/archive.hpp"
#include "journal/io/journal_writer.hpp"
#include "tests/system/bots.hpp"
#include "tests/system/loop.hpp"

namespace kakehashi::games::io {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

base::Now at(int seconds) { return {{}, base::WallTime(base::Millis{seconds * 1'000})}; }

class ArchiveWriterTest : public testing::Test {
 protected:
  ArchiveWriterTest() {
    config = test::bot(scratch, "mybot", {});
    config.archive.file = scratch.path("archive/games.db");
    config.journal.directory = scratch.path("journal");
  }

  void finish(int number) {
    auto game = std::make_shared<bridge::FinishedGame>();
    game->bot = "mybot";
    game->record.event = "game-" + std::to_string(number);
    game->record.started = at(number).wall;
    writer.take(config, game, scratch.path("a.csa"));
  }

  /// Without it the archive cannot be opened.
  void forbid_directory() { test::write_text(scratch.path("archive"), "a file\n"); }
  void allow_directory() { std::filesystem::remove(scratch.path("archive")); }

  /// An earlier process leaves the journal of one game behind.
  void leave_journal(const std::string& id) {
    boost::asio::io_context disk;
    journal::io::JournalWriter journal(config, disk, [](const bridge::Note&, auto) {});
    journal.start(1, at(1), {});
    journal.step(bridge::ServerLine{"Game_ID:" + id}, at(1), {});
    journal.step(bridge::ServerLine{"START:" + id}, at(2),
                 {bridge::BeginRecord{id, {".csa"}, "V2.2\nN+me\nN-you\n$EVENT:" + id + "\nPI\n+\n"}, bridge::GameStarted{id}});
  }

  void settle() {
    context.restart();
    context.run();
  }

  std::vector<std::string> stored() {
    auto archive = Archive::open(config.archive.file, Archive::Access::read);
    EXPECT_TRUE(archive) << archive.error();
    std::vector<std::string> ids;
    if (archive) {
      EXPECT_FALSE(archive->each({}, Archive::Order::any,
                                 [&](const ArchivedGame& game) {
                                   ids.push_back(game.game_id);
                                   return true;
                                 }));
    }
    return ids;
  }

  test::Scratch scratch;
  config::BotConfig config;
  boost::asio::io_context context;
  std::vector<std::string> told;
  ArchiveWriter writer{context, [this](const std::string& bot, const bridge::Note& note) {
                         told.push_back(bot + " " + note.code + ": " + note.text.english());
                       }};
};

TEST_F(ArchiveWriterTest, however_many_games_end_at_once_each_is_stored) {
  for (int i = 0; i < 100; ++i) {
    finish(i);
  }
  EXPECT_EQ(writer.waiting(), 100U);
  settle();
  EXPECT_EQ(stored().size(), 100U);
  EXPECT_EQ(writer.waiting(), 0U);
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(ArchiveWriterTest, looking_at_journals_again_and_again_keeps_no_game_out) {
  leave_journal("earlier");
  for (int i = 0; i < 100; ++i) {
    writer.catch_up(config);
  }
  finish(1);
  settle();
  EXPECT_THAT(stored(), UnorderedElementsAre("earlier", "game-1"));
  EXPECT_THAT(told, ElementsAre(HasSubstr("mybot archive_completed: ")));
}

TEST_F(ArchiveWriterTest, a_game_that_could_not_be_stored_is_stored_when_it_can_be) {
  forbid_directory();
  finish(1);
  finish(2);
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() == 2; }));
  EXPECT_EQ(writer.waiting(), 2U);
  EXPECT_THAT(told, Each(HasSubstr("mybot archive_failed: ")));
  allow_directory();
  ASSERT_TRUE(test::run_until(context, [&] { return writer.waiting() == 0; }));
  EXPECT_THAT(stored(), UnorderedElementsAre("game-1", "game-2"));
  EXPECT_THAT(told.back(), HasSubstr("mybot archive_caught_up: "));
}

TEST_F(ArchiveWriterTest, one_trouble_is_told_once_however_often_it_is_tried_again) {
  forbid_directory();
  finish(1);
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() == 1; }));
  context.run_for(2 * ArchiveWriter::pause_min);
  EXPECT_THAT(told, testing::SizeIs(1));
  EXPECT_EQ(writer.waiting(), 1U);
}

TEST_F(ArchiveWriterTest, games_that_cannot_be_stored_for_long_are_bounded) {
  forbid_directory();
  for (std::size_t i = 0; i < ArchiveWriter::games_max + 10; ++i) {
    finish(static_cast<int>(i));
  }
  EXPECT_TRUE(test::run_until(context, [&] { return writer.waiting() == ArchiveWriter::games_max; }));
}

TEST_F(ArchiveWriterTest, what_failed_at_the_start_is_caught_up) {
  leave_journal("earlier");
  forbid_directory();
  writer.catch_up(config);
  EXPECT_THAT(told, IsEmpty()) << "nobody waits for it";
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() == 1; }));
  EXPECT_THAT(told, ElementsAre(HasSubstr("mybot archive_failed: ")));
  allow_directory();
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() >= 3; }));
  EXPECT_THAT(stored(), ElementsAre("earlier"));
}

TEST_F(ArchiveWriterTest, the_last_try_comes_at_once_and_is_the_last) {
  forbid_directory();
  finish(1);
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() == 1; }));
  writer.close();
  EXPECT_FALSE(writer.is_idle());
  settle();
  EXPECT_TRUE(writer.is_idle());
  EXPECT_EQ(writer.waiting(), 1U);
}

TEST_F(ArchiveWriterTest, a_game_waits_for_the_archive_of_its_own_configuration) {
  forbid_directory();
  finish(1);
  ASSERT_TRUE(test::run_until(context, [&] { return told.size() == 1; }));
  const auto first = config;
  config.archive.file = scratch.path("next.db");
  finish(2);
  allow_directory();
  ASSERT_TRUE(test::run_until(context, [&] { return writer.waiting() == 0; }));
  EXPECT_THAT(stored(), ElementsAre("game-2"));
  config = first;
  EXPECT_THAT(stored(), ElementsAre("game-1"));
}

}  // namespace
}  // namespace kakehashi::games::io
