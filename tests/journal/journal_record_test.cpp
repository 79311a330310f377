#include "journal/journal_game.hpp"

#include <gtest/gtest.h>

namespace kakehashi::journal {
namespace {

const std::string record_head = "V2.2\nN+a\nN-b\nPI\n+\n";

/// A journal of a game whose record was begun and took these moves.
Contents journal_with(std::vector<Entry> entries) {
  std::string text = encode(Opened{}, 1) + encode(bridge::Action(bridge::BeginRecord{"a", {".csa"}, record_head}), 2) +
                     encode(Happened{{}, bridge::RecordWritten{"records/a-2.csa", base::verbatim("")}}, 3);
  std::uint64_t number = 3;
  for (const Entry& entry : entries) {
    text += encode(entry, ++number);
  }
  return read(text);
}

const Entry first = bridge::Action(bridge::AppendRecord{"+7776FU\nT1\n"});
const Entry second = bridge::Action(bridge::AppendRecord{"-3334FU\nT2\n"});
const std::string record_moves = "+7776FU\nT1\n-3334FU\nT2\n";

TEST(JournalRecord, it_is_put_together_from_what_the_core_asked_for) {
  const auto record = last_record(journal_with({first, second}));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->path, "records/a-2.csa");
  EXPECT_EQ(record->text, record_head + record_moves);
  EXPECT_FALSE(record->is_finished);
  EXPECT_FALSE(last_record(read(encode(Opened{}, 1))));
}

TEST(JournalRecord, the_last_game_of_the_file_counts) {
  const auto record = last_record(journal_with(
      {first, bridge::Action(bridge::FinishRecord{{{".csa", "V2.2\n%TORYO\n"}}}), bridge::Action(bridge::BeginRecord{"b", {".csa"}, record_head})}));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->stem, "b");
  EXPECT_EQ(record->path, "");
  EXPECT_EQ(record->text, record_head);
}

TEST(JournalRecord, a_file_that_was_cut_off_anywhere_gets_the_rest_and_is_marked) {
  const auto record = last_record(journal_with({first, second}));
  const std::string whole = record_head + record_moves;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_EQ(completed(*record, whole.substr(0, size)),
              whole + completion_comment + "%CHUDAN\n");
  }
}

TEST(JournalRecord, a_game_whose_end_is_known_gets_that_end) {
  const std::string finished = "V2.2\nN+a\n$END_TIME:2026/01/01\nPI\n+\n" + record_moves + "%TORYO\n";
  const auto record = last_record(journal_with({first, second, bridge::Action(bridge::FinishRecord{{{".csa", finished}}})}));
  ASSERT_TRUE(record->is_finished);
  EXPECT_EQ(completed(*record, record_head + record_moves),
            finished.substr(0, finished.find("%TORYO")) + completion_comment + "%TORYO\n");
}

TEST(JournalRecord, a_record_with_an_end_is_left_alone) {
  const auto record = last_record(journal_with({first, second}));
  EXPECT_FALSE(completed(*record, record_head + record_moves + "%TORYO\n"));
  EXPECT_FALSE(completed(*record, *completed(*record, record_head)));
}

TEST(JournalRecord, a_file_of_another_game_is_left_alone) {
  const auto record = last_record(journal_with({first, second}));
  EXPECT_FALSE(completed(*record, record_head + "+2726FU\nT1\n"));
}

TEST(JournalRecord, what_the_file_knows_beyond_the_journal_stays) {
  const auto record = last_record(journal_with({first}));
  EXPECT_EQ(completed(*record, record_head + record_moves), record_head + record_moves + completion_comment + "%CHUDAN\n");
}

// --- all files of a game

const std::string record_source_head =
    R"({"type":"head","version":1,"black":"a","white":"b","sfen":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"})"
    "\n";
const std::string record_source_move =
    R"({"type":"move","ply":1,"usi":"7g7f","csa":"+7776FU","t_ms":1000,"link_ms":12,"nps":5})"
    "\n";

/// A game of one move, in these formats; the text of the first when it grows.
JournalledRecord begun(std::vector<std::string> extensions, const std::string& text) {
  JournalledRecord record;
  record.stem = "a";
  record.extensions = std::move(extensions);
  record.text = text;
  record.source = record_source_head + record_source_move;
  return record;
}

std::vector<bridge::RecordFile> completed_files(const JournalledRecord& record, std::string_view text) {
  return completed_files(record, text, shogi::record::CommentStyle::automatic);
}

TEST(JournalRecord, files_that_do_not_grow_are_made_from_the_source) {
  const auto files = completed_files(begun({".jsonl", ".kif"}, ""), "");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].extension, ".jsonl");
  EXPECT_NE(files[0].text.find(R"("link_ms":12)"), std::string::npos) << "nothing is lost";
  EXPECT_NE(files[0].text.find(R"("ending":"%CHUDAN")"), std::string::npos);
  EXPECT_NE(files[0].text.find("completed from the journal"), std::string::npos);
  EXPECT_EQ(files[1].extension, ".kif");
  EXPECT_TRUE(files[1].is_shift_jis);
  EXPECT_NE(files[1].text.find("中断"), std::string::npos);
}

TEST(JournalRecord, the_others_follow_the_file_that_grows) {
  const auto files = completed_files(begun({".csa", ".usi"}, record_head + "+7776FU\nT1\n"), record_head);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].text, record_head + "+7776FU\nT1\n" + completion_comment + "%CHUDAN\n");
  EXPECT_EQ(files[1].text, "position startpos moves 7g7f\n");
}

TEST(JournalRecord, what_the_growing_file_knows_beyond_the_source_reaches_the_others) {
  const auto files = completed_files(begun({".csa", ".usi"}, record_head + "+7776FU\nT1\n"), record_head + record_moves);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[1].text, "position startpos moves 7g7f 3c3d\n");
}

TEST(JournalRecord, files_of_a_game_that_ended_are_written_as_they_were_to_be) {
  auto record = begun({".kif", ".usi"}, "");
  record.files = {{".kif", "k\n", true}, {".usi", "u\n", false}};
  record.is_finished = true;
  const auto files = completed_files(record, "");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].text, "k\n");
  EXPECT_EQ(files[1].text, "u\n");
}

TEST(JournalRecord, a_first_file_that_is_whole_stands_for_all) {
  EXPECT_TRUE(completed_files(begun({".kif", ".usi"}, ""), "whole").empty());
  EXPECT_TRUE(completed_files(begun({".csa", ".usi"}, record_head), record_head + "%TORYO\n").empty());
}

TEST(JournalRecord, a_record_that_was_to_have_no_file_has_nothing_to_complete) {
  JournalledRecord record = begun({}, record_head);
  EXPECT_TRUE(completed_files(record, record_head).empty());
  record.is_finished = true;
  EXPECT_TRUE(completed_files(record, "").empty());
}

}  // namespace
}  // namespace kakehashi::journal
