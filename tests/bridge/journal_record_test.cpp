#include "bridge/journal_record.hpp"

#include <gtest/gtest.h>

namespace kakehashi::bridge::journal {
namespace {

const std::string head = "V2.2\nN+a\nN-b\nPI\n+\n";

/// A journal of a game whose record was begun and took these moves.
Contents journal_with(std::vector<Entry> entries) {
  std::string text = encode(Opened{}, 1) + encode(Action(BeginRecord{"a.csa", head}), 2) +
                     encode(Happened{{}, RecordWritten{"records/a-2.csa", ""}}, 3);
  std::uint64_t number = 3;
  for (const Entry& entry : entries) {
    text += encode(entry, ++number);
  }
  return read(text);
}

const Entry first = Action(AppendRecord{"+7776FU\nT1\n"});
const Entry second = Action(AppendRecord{"-3334FU\nT2\n"});
const std::string moves = "+7776FU\nT1\n-3334FU\nT2\n";

TEST(JournalRecord, it_is_put_together_from_what_the_core_asked_for) {
  const auto record = last_record(journal_with({first, second}));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->path, "records/a-2.csa");
  EXPECT_EQ(record->text, head + moves);
  EXPECT_FALSE(record->is_finished);
  EXPECT_FALSE(last_record(read(encode(Opened{}, 1))));
}

TEST(JournalRecord, the_last_game_of_the_file_counts) {
  const auto record = last_record(journal_with(
      {first, Action(FinishRecord{"V2.2\n%TORYO\n"}), Action(BeginRecord{"b.csa", head})}));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->name, "b.csa");
  EXPECT_EQ(record->path, "");
  EXPECT_EQ(record->text, head);
}

TEST(JournalRecord, a_file_that_was_cut_off_anywhere_gets_the_rest_and_is_marked) {
  const auto record = last_record(journal_with({first, second}));
  const std::string whole = head + moves;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    EXPECT_EQ(completed(*record, whole.substr(0, size)),
              whole + completion_comment + "%CHUDAN\n");
  }
}

TEST(JournalRecord, a_game_whose_end_is_known_gets_that_end) {
  const std::string finished = "V2.2\nN+a\n$END_TIME:2026/01/01\nPI\n+\n" + moves + "%TORYO\n";
  const auto record = last_record(journal_with({first, second, Action(FinishRecord{finished})}));
  ASSERT_TRUE(record->is_finished);
  EXPECT_EQ(completed(*record, head + moves),
            finished.substr(0, finished.find("%TORYO")) + completion_comment + "%TORYO\n");
}

TEST(JournalRecord, a_record_with_an_end_is_left_alone) {
  const auto record = last_record(journal_with({first, second}));
  EXPECT_FALSE(completed(*record, head + moves + "%TORYO\n"));
  EXPECT_FALSE(completed(*record, *completed(*record, head)));
}

TEST(JournalRecord, a_file_of_another_game_is_left_alone) {
  const auto record = last_record(journal_with({first, second}));
  EXPECT_FALSE(completed(*record, head + "+2726FU\nT1\n"));
}

TEST(JournalRecord, what_the_file_knows_beyond_the_journal_stays) {
  const auto record = last_record(journal_with({first}));
  EXPECT_EQ(completed(*record, head + moves), head + moves + completion_comment + "%CHUDAN\n");
}

}  // namespace
}  // namespace kakehashi::bridge::journal
