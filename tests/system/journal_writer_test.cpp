// The journal on a real disk: a file for each game, whole at every moment, bounded, and never the
// reason why a game ends.
#include "journal/io/journal_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "base/io/legacy.hpp"
#include "base/io/threads.hpp"
#include "journal/io/journal_files.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::journal::io {
namespace {

using test::read_text;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr base::Now noon{base::SteadyTime(std::chrono::seconds(1000)),
                         base::WallTime(std::chrono::sys_days(std::chrono::year{2026} / 11 / 21))};

class JournalWriterTest : public testing::Test {
 protected:
  JournalWriterTest() {
    config.name = "mybot";
    config.account.password = base::Secret("s3cret-tr1p");
    config.records.directory = scratch.path("records");
  }

  void open() {
    writer.emplace(config, *context,
                   [this](const bridge::Note& note, auto) { notes.push_back(note.code + ": " + note.text.english()); });
    writer->start(1, noon, {bridge::StartEngine{bridge::EngineId{0, 1}}});
  }

  /// Until all that was handed over is in the files.
  void settle() {
    if (writer) {
      context->restart();
      context->run();
    }
  }

  void hear(const std::string& line, const bridge::Actions& actions = {}) {
    writer->step(bridge::ServerLine{line, false}, noon, actions);
  }

  void play_a_game() {
    hear("BEGIN Game_Summary");
    hear("START:game", {bridge::GameStarted{"game"}, bridge::BeginRecord{"a", {".csa"}, "V2.2\n"}});
    hear("+7776FU,T1", {bridge::AppendRecord{"+7776FU\n"}});
    hear("#WIN", {bridge::FinishRecord{{{".csa", "V2.2\n%TORYO\n"}}}});
  }

  std::vector<std::string> files() {
    settle();
    return scratch.names("journal");
  }
  std::string path() {
    settle();
    return writer->path();
  }
  std::string text_of(std::size_t file) { return read_text(scratch.path("journal/" + files()[file])); }

  test::Scratch scratch;
  config::BotConfig config;
  std::vector<std::string> notes;
  std::optional<boost::asio::io_context> context{std::in_place};
  std::optional<JournalWriter> writer;
};

TEST_F(JournalWriterTest, each_step_is_in_the_file_when_it_was_taken) {
  open();
  EXPECT_EQ(path(), scratch.path("journal/mybot_20261121T000000_0001.journal"));
  hear("LOGIN:mybot OK", {bridge::WriteServer{"AGREE", "AGREE"}});
  const auto contents = read(text_of(0));
  EXPECT_THAT(contents.faults, IsEmpty());
  EXPECT_FALSE(contents.is_torn);
  EXPECT_THAT(text_of(0), HasSubstr("LOGIN:mybot OK"));
  EXPECT_THAT(text_of(0), HasSubstr(">write_server\tAGREE\n"));
  EXPECT_THAT(text_of(0), HasSubstr("#setting\tserver.port\t4081\n"));
}

TEST_F(JournalWriterTest, what_changed_nothing_is_written_with_the_last_line_of_its_read) {
  open();
  const auto hear_info = [&](int depth, bool more) {
    writer->step(bridge::EngineLine{bridge::EngineId{0, 1}, "info depth " + std::to_string(depth)}, noon, {}, more);
  };
  hear_info(1, true);
  hear_info(2, true);
  EXPECT_THAT(text_of(0), Not(HasSubstr("info depth")));
  hear_info(3, false);
  const std::string text = text_of(0);
  EXPECT_LT(text.find("info depth 1"), text.find("info depth 2"));
  EXPECT_LT(text.find("info depth 2"), text.find("info depth 3"));
  EXPECT_THAT(read(text).faults, IsEmpty());
}

TEST_F(JournalWriterTest, a_step_that_did_something_is_written_whatever_follows) {
  open();
  writer->step(bridge::EngineLine{bridge::EngineId{0, 1}, "info depth 1"}, noon, {}, true);
  writer->step(bridge::EngineLine{bridge::EngineId{0, 1}, "bestmove 7g7f"}, noon, {bridge::WriteServer{"+7776FU", "+7776FU"}}, true);
  EXPECT_THAT(text_of(0), HasSubstr("info depth 1"));
  EXPECT_THAT(text_of(0), HasSubstr(">write_server\t+7776FU\n"));
}

TEST_F(JournalWriterTest, what_is_held_back_is_written_when_the_bot_breaks_or_ends) {
  open();
  writer->step(bridge::EngineLine{bridge::EngineId{0, 1}, "info depth 1"}, noon, {}, true);
  writer->broke(bridge::EngineLine{bridge::EngineId{0, 1}, "info depth 2"}, noon, "a promise");
  EXPECT_THAT(text_of(0), HasSubstr("info depth 1"));
  EXPECT_THAT(text_of(0), HasSubstr("#broken\ta promise\n"));
  writer->step(bridge::EngineLine{bridge::EngineId{0, 1}, "info depth 3"}, noon, {}, true);
  writer->close("the end");
  EXPECT_THAT(text_of(0), HasSubstr("info depth 3"));
}

TEST_F(JournalWriterTest, the_file_is_its_owners_and_holds_no_secret) {
  open();
  hear("Reconnect_Token:0123456789");
  hear("you said s3cret-tr1p");
  struct stat status {};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_THAT(text_of(0), Not(HasSubstr("s3cret-tr1p")));
  EXPECT_THAT(text_of(0), Not(HasSubstr("0123456789")));
}

TEST_F(JournalWriterTest, each_game_has_its_own_file) {
  open();
  play_a_game();
  play_a_game();
  writer->close("exit status 0");
  EXPECT_THAT(files(), ElementsAre("mybot_20261121T000000_0001.journal",
                                   "mybot_20261121T000000_0002.journal"));
  EXPECT_THAT(text_of(1), HasSubstr("#closed\texit status 0\n"));
  const auto whole = read(text_of(0) + text_of(1));
  EXPECT_THAT(whole.faults, IsEmpty()) << "the numbers go on";
}

TEST_F(JournalWriterTest, it_tells_beforehand_when_another_file_begins) {
  open();
  const bridge::Event summary = bridge::ServerLine{"BEGIN Game_Summary", false};
  EXPECT_FALSE(writer->begins_part(summary)) << "the file of the start takes the first game";
  play_a_game();
  EXPECT_TRUE(writer->begins_part(summary));
  EXPECT_FALSE(writer->begins_part(bridge::ServerLine{"END Game_Summary", false}));
}

TEST_F(JournalWriterTest, a_game_that_is_taken_up_again_stays_in_its_file) {
  open();
  hear("BEGIN Game_Summary");
  hear("START:game", {bridge::GameStarted{"game"}, bridge::BeginRecord{"a", {".csa"}, "V2.2\n"}});
  hear("BEGIN Game_Summary");
  EXPECT_THAT(files(), SizeIs(1));
}

TEST_F(JournalWriterTest, two_runs_in_one_second_do_not_meet) {
  open();
  const auto first = path();
  writer->close("exit status 70");
  writer->start(2, noon, {});
  EXPECT_NE(path(), first);
  EXPECT_THAT(files(), SizeIs(2));
}

TEST_F(JournalWriterTest, old_files_of_the_run_are_condensed_and_those_of_other_runs_removed) {
  config.journal.keep = 2;
  const auto other_run = scratch.path("journal/mybot_20250101T000000_0001.journal");
  const auto other_bot = scratch.path("journal/yourbot_20250101T000000_0001.journal");
  std::filesystem::create_directories(scratch.path("journal"));
  write_text(other_run, encode(Opened{}, 1));
  write_text(other_bot, "not ours to judge");
  open();
  for (int game = 0; game < 4; ++game) {
    play_a_game();
  }
  writer.reset();
  context.reset();  // and with it what was left for the disk's thread
  EXPECT_EQ(read_text(other_run), "");
  EXPECT_EQ(read_text(other_bot), "not ours to judge");
  ASSERT_THAT(files(), SizeIs(5));
  EXPECT_THAT(text_of(0), Not(HasSubstr(">append_record")));
  EXPECT_THAT(text_of(0), HasSubstr("+7776FU,T1"));
  EXPECT_THAT(text_of(2), HasSubstr(">append_record"));
  EXPECT_THAT(text_of(3), HasSubstr(">append_record"));
}

TEST_F(JournalWriterTest, what_lies_behind_a_condensed_file_is_not_read_again) {
  config.journal.keep = 2;
  open();
  for (int game = 0; game < 4; ++game) {
    play_a_game();
  }
  writer.reset();
  context.emplace();
  ASSERT_THAT(text_of(1), Not(HasSubstr(">append_record")));
  const std::string path = scratch.path("journal/") + files()[0];
  write_text(path, text_of(2));
  tidy_journals(scratch.path("journal"), "mybot", read_journal_name(files()[0])->run, 1);
  EXPECT_THAT(text_of(0), HasSubstr(">append_record"));
  EXPECT_THAT(text_of(2), Not(HasSubstr(">append_record"))) << "it is no longer the newest";
}

TEST_F(JournalWriterTest, a_file_that_is_full_says_so_and_the_next_game_begins_another) {
  config.journal.bytes_max = 20'000;
  open();
  for (int i = 0; i < 1000; ++i) {
    hear("noise of the server, line after line");
  }
  settle();
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0], HasSubstr("journal_full"));
  EXPECT_THAT(text_of(0), HasSubstr("#full\n"));
  EXPECT_LT(text_of(0).size(), 20'100U);
  play_a_game();
  EXPECT_THAT(files(), SizeIs(2));
  EXPECT_THAT(text_of(1), HasSubstr("+7776FU,T1"));
}

TEST_F(JournalWriterTest, what_is_in_the_files_is_not_left_to_who_follows) {
  const auto legacy = base::io::Legacy::create();
  ASSERT_TRUE(legacy);
  writer.emplace(config, *context, [](const bridge::Note&, auto) {});
  writer->leave_to(legacy.get());
  writer->start(1, noon, {});
  const std::string line(1'000, 'x');
  for (std::size_t left = 0; left < 3 * base::io::Legacy::text_bytes_max; left += 100 * line.size()) {
    for (int i = 0; i < 100; ++i) {
      hear(line);
    }
    settle();
  }
  EXPECT_TRUE(legacy->is_whole());
  EXPECT_NE(legacy->path(), "");
}

TEST_F(JournalWriterTest, a_directory_that_cannot_be_made_costs_one_warning) {
  write_text(scratch.path("file"), "");
  config.journal.directory = scratch.path("file/journal");
  open();
  settle();
  hear("LOGIN:mybot OK");
  hear("+7776FU,T1");
  settle();
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0], HasSubstr("journal_failed: the journal could not be written: "));
}

TEST_F(JournalWriterTest, a_disk_that_fails_behind_its_back_costs_one_warning_and_no_line) {
  boost::asio::make_service<base::io::DiskThread>(*context, [](int) {
    errno = EIO;
    return -1;
  });
  open();
  play_a_game();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (notes.empty() && std::chrono::steady_clock::now() < deadline) {
    hear("a line of the game");
    settle();
  }
  hear("+2726FU,T1");
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0], HasSubstr("journal_failed: the journal did not reach the disk: cannot "
                                  "synchronise"));
  EXPECT_THAT(notes[0], HasSubstr("Input/output error"));
  EXPECT_THAT(text_of(0), HasSubstr("+2726FU,T1"));
}

TEST_F(JournalWriterTest, a_file_that_has_ended_is_free_at_once) {
  open();
  const auto file = path();
  EXPECT_TRUE(is_in_use(file)) << file;
  writer->close("exit status 0");
  settle();
  EXPECT_FALSE(is_in_use(file));
}

TEST_F(JournalWriterTest, what_is_handed_over_faster_than_it_is_written_comes_in_order) {
  open();
  settle();
  for (int i = 0; i < 2'000; ++i) {
    hear("line " + std::to_string(i));
  }
  const auto contents = read(text_of(0));
  EXPECT_THAT(contents.faults, IsEmpty());
  EXPECT_THAT(text_of(0), HasSubstr("line 1999"));
}

TEST_F(JournalWriterTest, other_work_comes_behind_the_steps_and_knows_the_file) {
  open();
  hear("line 1");
  std::string path;
  std::string text;
  ASSERT_TRUE(writer->behind([&](const std::string& present) {
    path = present;
    text = read_text(present);
  }));
  EXPECT_EQ(this->path(), path);
  EXPECT_THAT(text, HasSubstr("line 1"));
}

/// From now on the journal's thread does nothing, as on a disk that stands still.
class StandingDisk {
 public:
  explicit StandingDisk(JournalWriter& writer) {
    std::promise<void> stands;
    EXPECT_TRUE(writer.behind([&stands, gate = gate_.get_future().share()](const std::string&) {
      stands.set_value();
      gate.wait();
    }));
    stands.get_future().wait();
  }
  void free() { gate_.set_value(); }

 private:
  std::promise<void> gate_;
};

TEST_F(JournalWriterTest, a_disk_that_stands_still_holds_up_nobody) {
  open();
  StandingDisk disk(*writer);
  for (int i = 0; i < 10'000; ++i) {
    hear("line " + std::to_string(i));
  }
  EXPECT_FALSE(JournalWriter::is_idle(*context));
  disk.free();
  EXPECT_THAT(text_of(0), HasSubstr("line 9999"));
  EXPECT_TRUE(JournalWriter::is_idle(*context));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(JournalWriterTest, a_disk_that_stands_still_for_long_costs_the_rest_of_the_file_and_one_warning) {
  open();
  hear("before");
  StandingDisk disk(*writer);
  const std::string line(std::size_t{64} * 1024, 'x');
  for (std::size_t bytes = 0; bytes <= 2 * JournalWriter::waiting_bytes_max; bytes += line.size()) {
    hear(line);
  }
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_THAT(notes[0], HasSubstr("journal_failed: the journal could not be written: the disk is so far behind that "
                                  "16 MiB wait"));
  disk.free();
  play_a_game();
  EXPECT_THAT(text_of(0), testing::EndsWith("#full\n"));
  EXPECT_LT(text_of(0).size(), JournalWriter::waiting_bytes_max + 2 * line.size());
  EXPECT_THAT(read(text_of(0)).faults, IsEmpty());
  EXPECT_THAT(text_of(1), HasSubstr("+7776FU,T1"));
  EXPECT_THAT(read(text_of(0) + text_of(1)).faults, SizeIs(1)) << "the gap shows";
  EXPECT_THAT(notes, SizeIs(1));
}

TEST_F(JournalWriterTest, a_journal_that_is_off_leaves_no_file) {
  config.journal.enabled = false;
  open();
  play_a_game();
  writer->close("exit status 0");
  EXPECT_THAT(scratch.names(), IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
}

TEST(JournalFiles, names_are_read_back) {
  const JournalName name{"my_bot", "20261121T000000-2", 7};
  EXPECT_EQ(name.file_name(), "my_bot_20261121T000000-2_0007.journal");
  EXPECT_EQ(read_journal_name(name.file_name()), name);
  EXPECT_EQ(read_journal_name("a_b_c.journal"), std::nullopt);
  EXPECT_EQ(read_journal_name("_0001.journal"), std::nullopt);
  EXPECT_EQ(read_journal_name("a_0001.journal"), std::nullopt);
  EXPECT_EQ(read_journal_name("a_b_0001.csa"), std::nullopt);
}

TEST(JournalFiles, the_directory_stands_beside_that_of_the_records) {
  config::BotConfig bot;
  EXPECT_EQ(journal_directory(bot), "journal");
  bot.records.directory = "/srv/games/";
  EXPECT_EQ(journal_directory(bot), "/srv/journal");
  bot.journal.directory = "elsewhere";
  EXPECT_EQ(journal_directory(bot), "elsewhere");
}

TEST(JournalFiles, the_parts_of_a_run_are_found_from_any_of_them) {
  test::Scratch scratch;
  for (const char* name : {"a_r1_0001", "a_r1_0002", "a_r1_0003", "a_r2_0001", "b_r1_0001"}) {
    write_text(scratch.path(std::string(name) + ".journal"), "");
  }
  EXPECT_THAT(parts_until(scratch.path("a_r1_0002.journal")),
              ElementsAre(scratch.path("a_r1_0001.journal"), scratch.path("a_r1_0002.journal")));
  EXPECT_THAT(parts_until(scratch.path("renamed")), ElementsAre(scratch.path("renamed")));
}

}  // namespace
}  // namespace kakehashi::journal::io
