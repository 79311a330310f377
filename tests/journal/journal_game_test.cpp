#include "journal/journal_game.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kakehashi::journal {
namespace {

using shogi::record::EndingKind;

const std::string head = "V2.2\nN+me\nN-you\nPI\n+\n";
const std::string moves = "+7776FU\nT1\n-3334FU\nT2\n";
const std::string source_head =
    R"({"type":"head","version":1,"black":"me","white":"you","sfen":"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"})"
    "\n";
const std::string source_move =
    R"({"type":"move","ply":1,"usi":"7g7f","csa":"+7776FU","t_ms":1000,"link_ms":12})"
    "\n";

base::Now at(int seconds) { return {{}, base::WallTime(base::Millis{seconds * 1'000})}; }
Entry said(int seconds, const std::string& line) { return Happened{at(seconds), bridge::ServerLine{line}}; }
Entry ended(csa::Outcome outcome, const std::string& reason) {
  return bridge::Action(bridge::GameEnded{outcome, reason, false, "you", "g1", 1});
}

/// A journal of a game that began in second 100 and had these entries behind its start.
Contents journal_with(const bridge::BeginRecord& begin, const std::vector<Entry>& entries,
                      const std::string& turn = "+") {
  std::vector<Entry> all{Opened{}, said(90, "BEGIN Game_Summary"), said(90, "Game_ID:g1"),
                         said(90, "Name+:me"), said(90, "Name-:you"),
                         said(90, "Your_Turn:" + turn), said(100, "START:g1"), bridge::Action(begin)};
  all.insert(all.end(), entries.begin(), entries.end());
  std::string text;
  std::uint64_t number = 0;
  for (const Entry& entry : all) {
    text += encode(entry, ++number);
  }
  return read(text);
}

const bridge::BeginRecord growing{"a", {".csa"}, head};
const bridge::BeginRecord closed{"a", {".usi"}, "", source_head};

bridge::FinishedGame game_of(const Contents& contents) {
  config::BotConfig bot;
  bot.name = "mybot";
  const auto record = last_record(contents);
  const auto game = record ? last_game(contents, *record, bot) : std::nullopt;
  EXPECT_TRUE(game);
  return game.value_or(bridge::FinishedGame{});
}

TEST(JournalGame, its_mark_stands_at_the_beginning_of_the_journal) {
  EXPECT_EQ(last_mark(journal_with(growing, {})),
            (GameMark{"g1", "me", base::WallTime(base::Millis{100'000})}));
  EXPECT_EQ(last_mark(journal_with(growing, {}, "-"))->us, "you");
  EXPECT_FALSE(last_mark(read(encode(Opened{}, 1))));
}

TEST(JournalGame, a_record_that_is_begun_anew_is_still_the_same_game) {
  EXPECT_EQ(last_mark(journal_with(growing, {said(150, "x"), bridge::Action(growing)}))->begun,
            base::WallTime(base::Millis{100'000}));
}

TEST(JournalGame, a_game_that_is_given_back_is_still_the_same_game) {
  // Its summary stands there once more, and its record goes on.
  const std::vector<Entry> back{said(150, "BEGIN Game_Summary"), said(150, "Game_ID:g1"), said(150, "Name+:me"),
                                said(150, "Name-:you"), said(150, "Your_Turn:+"), said(151, "+2726FU,T3")};
  const GameMark mark{"g1", "me", base::WallTime(base::Millis{100'000})};
  EXPECT_EQ(last_mark(journal_with(growing, back)), mark);
  EXPECT_EQ(game_of(journal_with(growing, back)).record.started, mark.begun);

  std::vector<Entry> anew = back;
  anew.push_back(bridge::Action(growing));
  EXPECT_EQ(last_mark(journal_with(growing, anew)), mark);
}

TEST(JournalGame, a_game_that_was_only_offered_is_not_the_last_one) {
  const std::vector<Entry> other{bridge::Action(bridge::FinishRecord{}), said(200, "BEGIN Game_Summary"), said(200, "Game_ID:g2"),
                                 said(200, "Name+:she"), said(200, "Name-:me"), said(200, "Your_Turn:-")};
  EXPECT_EQ(last_mark(journal_with(growing, other)), (GameMark{"g1", "me", base::WallTime(base::Millis{100'000})}));

  std::vector<Entry> begun = other;
  begun.push_back(said(210, "START:g2"));
  begun.push_back(bridge::Action(growing));
  EXPECT_EQ(last_mark(journal_with(growing, begun)), (GameMark{"g2", "me", base::WallTime(base::Millis{210'000})}));
}

TEST(JournalGame, a_game_that_was_cut_off_has_its_moves_and_no_result) {
  const auto game = game_of(journal_with(growing, {bridge::Action(bridge::AppendRecord{moves}), said(130, "+2726FU,T3")}));
  EXPECT_EQ(game.bot, "mybot");
  EXPECT_EQ(game.record.moves.size(), 2U);
  EXPECT_EQ(game.record.ending->kind, EndingKind::chudan);
  EXPECT_EQ(game.end.outcome, csa::Outcome::none);
  EXPECT_EQ(game.record.started, base::WallTime(base::Millis{100'000}));
  EXPECT_EQ(game.record.ended, base::WallTime(base::Millis{130'000}));
}

TEST(JournalGame, a_game_that_ended_has_its_result_though_no_file_was_written) {
  const std::string finished = "V2.2\nN+me\nN-you\nPI\n+\n" + moves + "%TORYO\n";
  const auto game = game_of(journal_with(
      growing, {bridge::Action(bridge::AppendRecord{moves}), said(140, "#LOSE"),
                bridge::Action(bridge::FinishRecord{{{".csa", finished}}}), ended(csa::Outcome::lose, "#RESIGN"), said(200, "x")}));
  EXPECT_EQ(game.record.ending->kind, EndingKind::toryo);
  EXPECT_EQ(game.end.outcome, csa::Outcome::lose);
  EXPECT_EQ(game.end.reason, "#RESIGN");
  EXPECT_EQ(game.record.ended, base::WallTime(base::Millis{140'000}));
}

TEST(JournalGame, a_format_that_cannot_be_read_back_is_no_obstacle) {
  const auto game = game_of(journal_with(
      closed, {bridge::Action(bridge::AppendRecord{"", source_move}), said(140, "#WIN"),
               bridge::Action(bridge::FinishRecord{{{".usi", "position startpos moves 7g7f\n"}}}),
               ended(csa::Outcome::win, "#RESIGN")}, "-"));
  ASSERT_EQ(game.record.moves.size(), 1U);
  EXPECT_EQ(game.record.moves[0].link_delay, base::Millis{12}) << "nothing is lost";
  EXPECT_EQ(game.our_color, shogi::Color::white);
  EXPECT_EQ(game.end.outcome, csa::Outcome::win);
}

TEST(JournalGame, moves_that_cannot_be_read_make_no_game) {
  const auto contents = journal_with(growing, {bridge::Action(bridge::AppendRecord{"+1155FU\nT1\n"})});
  EXPECT_FALSE(last_game(contents, *last_record(contents), {}));
}

}  // namespace
}  // namespace kakehashi::journal
