// Records that a killed process left behind, completed from its journals: each with its own game, also when
// the process ended before it had noted the name of the file.
#include "journal/io/earlier_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "journal/io/journal_writer.hpp"
#include "journal/io/record_writer.hpp"
#include "tests/system/bots.hpp"

namespace kakehashi::journal::io {
namespace {

namespace fs = std::filesystem;

using test::read_text;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

base::Now at(int seconds) { return {{}, base::WallTime(base::Millis{seconds * 1'000})}; }

class RecordCompletionTest : public testing::Test {
 protected:
  RecordCompletionTest() {
    config = test::bot(scratch, "mybot", {});
    config.journal.directory = scratch.path("journal");
    std::filesystem::create_directory(config.records.directory);
    journal.start(1, at(0), {});
  }

  std::string record(const std::string& name) const { return scratch.path("records/" + name); }

  static std::string head_of(const std::string& id) {
    return R"({"type":"head","version":1,"game_id":")" + id +
           R"(","black":"a","white":"b","started_ms":0,"utc_offset_min":0,"max_moves":256,)"
           R"("declaration":"27","sfen":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"})"
           "\n";
  }

  /// Nothing grows: the file of the record is empty until the game is over.
  void begin(const std::string& id, int second) {
    journal.step(bridge::ServerLine{"BEGIN Game_Summary"}, at(second), {});
    journal.step(bridge::ServerLine{"START:" + id}, at(second),
                 {bridge::BeginRecord{"game", {".jsonl"}, "", head_of(id)}, bridge::GameStarted{id}});
  }
  void note_name(const std::string& name, int second) {
    journal.step(bridge::RecordWritten{record(name), {}}, at(second), {});
  }
  void finish(const std::string& id, int second) {
    journal.step(bridge::ServerLine{"#WIN"}, at(second),
                 {bridge::FinishRecord{{{".jsonl", head_of(id) + R"({"type":"end","plies":0,"ending":"%TORYO"})" "\n"}}}});
  }

  void end() {
    journal.close("for the test");
    disk.restart();
    disk.run();
  }
  std::vector<bridge::Note> complete() {
    end();
    return run();
  }
  std::vector<bridge::Note> run() const {
    RecordCompletion completion(config);
    completion.look();
    const auto outcome = completion.run();
    EXPECT_THAT(outcome.failed, IsEmpty());
    return outcome.completed;
  }

  std::string only_journal() const {
    const auto names = list_journals(config.journal.directory, safe_file_name(config.name));
    EXPECT_THAT(names, SizeIs(1));
    return (fs::path(config.journal.directory) / names.at(0).file_name()).string();
  }
  /// Of a completion that completes nothing.
  std::string refused_codes() const {
    RecordCompletion completion(config);
    completion.look();
    const auto outcome = completion.run();
    EXPECT_THAT(outcome.completed, IsEmpty());
    std::string codes;
    for (const bridge::Note& note : outcome.failed) {
      codes += note.code;
    }
    return codes;
  }

  test::Scratch scratch;
  config::BotConfig config;
  boost::asio::io_context disk;
  JournalWriter journal{config, disk, [](const bridge::Note&, auto) {}};
};

TEST_F(RecordCompletionTest, a_file_whose_name_was_not_noted_any_more_is_found) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  EXPECT_THAT(complete(), SizeIs(1));
  EXPECT_THAT(read_text(record("game.jsonl")), HasSubstr("first"));
}

TEST_F(RecordCompletionTest, it_is_not_taken_for_that_of_an_earlier_game_of_the_same_name) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  note_name("game.jsonl", 1);
  finish("first", 2);  // and the disk never came to that
  begin("second", 3);
  test::write_text(record("game-2.jsonl"), "");
  EXPECT_THAT(complete(), SizeIs(2));
  EXPECT_THAT(read_text(record("game.jsonl")), HasSubstr("first"));
  EXPECT_THAT(read_text(record("game-2.jsonl")), HasSubstr("second"));
}

TEST_F(RecordCompletionTest, a_file_that_was_never_made_is_made_and_costs_no_other_record) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  note_name("game.jsonl", 1);
  finish("first", 2);
  begin("second", 3);
  EXPECT_THAT(complete(), SizeIs(2));
  EXPECT_THAT(read_text(record("game.jsonl")), HasSubstr("first"));
  EXPECT_THAT(read_text(record("game-2.jsonl")), HasSubstr("second"));
  EXPECT_THAT(run(), IsEmpty());
}

TEST_F(RecordCompletionTest, a_record_that_a_full_disk_cut_off_is_completed_though_later_ones_are_whole) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  note_name("game.jsonl", 1);
  finish("first", 2);
  journal.step(bridge::RecordWritten{record("game.jsonl"), base::verbatim("No space left on device")}, at(2), {});
  begin("second", 3);
  test::write_text(record("game-2.jsonl"), "whole\n");
  note_name("game-2.jsonl", 3);
  finish("second", 4);
  EXPECT_THAT(complete(), SizeIs(1));
  EXPECT_THAT(read_text(record("game.jsonl")), HasSubstr("first"));
  EXPECT_EQ(read_text(record("game-2.jsonl")), "whole\n");
}

TEST_F(RecordCompletionTest, one_that_was_never_made_is_made_beside_whole_ones_of_its_name) {
  test::write_text(record("game.jsonl"), "whole\n");
  begin("first", 1);
  EXPECT_THAT(complete(), SizeIs(1));
  EXPECT_EQ(read_text(record("game.jsonl")), "whole\n");
  EXPECT_THAT(read_text(record("game-2.jsonl")), HasSubstr("first"));
  EXPECT_THAT(run(), IsEmpty()) << "it is known again";
  EXPECT_THAT(scratch.names("records"), SizeIs(2));
}

// Whoever else can have written a journal could have a record of ours overwritten with it.

TEST_F(RecordCompletionTest, a_journal_that_others_may_write_completes_nothing) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  end();
  fs::permissions(only_journal(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(refused_codes(), "journal_not_believed");
  EXPECT_EQ(read_text(record("game.jsonl")), "");
}

TEST_F(RecordCompletionTest, nor_does_one_in_a_directory_from_which_others_may_take_it) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  end();
  fs::permissions(config.journal.directory, fs::perms::all);
  EXPECT_EQ(refused_codes(), "journal_not_believed");
  fs::permissions(config.journal.directory, fs::perms::all | fs::perms::sticky_bit);
  EXPECT_THAT(run(), SizeIs(1)) << "as in /tmp, where only its owner can";
  EXPECT_THAT(read_text(record("game.jsonl")), HasSubstr("first"));
}

TEST_F(RecordCompletionTest, nor_does_a_link) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  end();
  const std::string path = only_journal();
  fs::rename(path, scratch.path("elsewhere"));
  fs::create_symlink(scratch.path("elsewhere"), path);
  EXPECT_EQ(refused_codes(), "journal_not_believed");
  EXPECT_EQ(read_text(record("game.jsonl")), "");
}

TEST_F(RecordCompletionTest, nor_does_another_users_though_it_lies_in_a_sticky_directory) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "");
  end();
  fs::permissions(config.journal.directory, fs::perms::all | fs::perms::sticky_bit);
  constexpr uid_t nobody = 65534;
  if (::lchown(only_journal().c_str(), nobody, nobody) != 0) {
    ASSERT_NE(::geteuid(), 0U);  // only root can give files away: then a mode of the others has to show it
    fs::permissions(only_journal(), fs::perms::others_write, fs::perm_options::add);
  }
  EXPECT_EQ(refused_codes(), "journal_not_believed");
  EXPECT_EQ(read_text(record("game.jsonl")), "");
}

TEST_F(RecordCompletionTest, the_file_of_a_game_that_began_since_is_not_taken) {
  begin("first", 1);
  end();
  RecordCompletion completion(config);
  completion.look();
  std::this_thread::sleep_for(std::chrono::milliseconds{20});
  test::write_text(record("game.jsonl"), "");
  EXPECT_THAT(completion.run().completed, SizeIs(1));
  EXPECT_EQ(read_text(record("game.jsonl")), "");
  EXPECT_THAT(read_text(record("game-2.jsonl")), HasSubstr("first"));
}

TEST_F(RecordCompletionTest, a_record_that_is_whole_or_was_moved_away_is_left_alone) {
  begin("first", 1);
  test::write_text(record("game.jsonl"), "whole\n");
  note_name("game.jsonl", 1);
  finish("first", 2);
  begin("second", 3);
  note_name("game-2.jsonl", 3);
  EXPECT_THAT(complete(), IsEmpty());
  EXPECT_EQ(read_text(record("game.jsonl")), "whole\n");
}

}  // namespace
}  // namespace kakehashi::journal::io
