// A record as people are shown it: names, moves with their times and thoughts, boards, and the end.
#include "shogi/record/show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi::record {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

Record short_game() {
  Record record;
  record.event = "a game";
  record.black_name = "alice";
  record.white_name = "bob";
  record.comments = {"before\x1b[2J the moves"};
  record.moves.push_back({*shogi::usi::parse_move("7g7f"), 3s, std::nullopt, {"a good one"}});
  record.moves.push_back({*shogi::usi::parse_move("3c3d"), std::nullopt, std::nullopt, {}});
  record.moves.push_back({*shogi::usi::parse_move("8h2b+"), 4s, Evaluation{120, {"-3122GI"}, 7, 900}, {}});
  record.ending = Ending{EndingKind::toryo, 5s, {"well played"}, "#RESIGN"};
  return record;
}

std::size_t boards_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("９ ８ ７"); at != std::string::npos;
       at = text.find("９ ８ ７", at + 1)) {
    ++count;
  }
  return count;
}

std::string shown(const Record& record, std::optional<std::size_t> ply) {
  return show_record(record, ply, &base::Message::english);
}

TEST(ShowRecord, the_whole_game_has_a_board_for_each_position) {
  const std::string text = shown(short_game(), std::nullopt);
  EXPECT_EQ(boards_in(text), 4U);
  EXPECT_THAT(text, HasSubstr("先手：alice\n"));
  EXPECT_THAT(text, HasSubstr("1  ▲７六歩  3 s (total 3 s)\n    a good one\n"));
  EXPECT_THAT(text, HasSubstr("2  △３四歩\n")) << "no time was told";
  EXPECT_THAT(text, HasSubstr("3  ▲２二角成  4 s (total 7 s)\n"));
  EXPECT_THAT(text, HasSubstr("120")) << "the evaluation";
  EXPECT_THAT(text, HasSubstr("#RESIGN)  5 s (total 5 s)\n    well played\n"));
}

TEST(ShowRecord, one_position_is_shown_alone) {
  const std::string second = shown(short_game(), 2);
  EXPECT_EQ(boards_in(second), 1U);
  EXPECT_THAT(second, HasSubstr("2  △３四歩"));
  EXPECT_THAT(second, Not(HasSubstr("▲７六歩")));
  EXPECT_THAT(second, Not(HasSubstr("#RESIGN"))) << "the end belongs to the last position";
  EXPECT_EQ(boards_in(shown(short_game(), 0)), 1U);
  EXPECT_THAT(shown(short_game(), 3), HasSubstr("#RESIGN"));
}

TEST(ShowRecord, times_are_said_in_the_readers_language) {
  const auto said = [](const base::Message& message) { return "said: " + message.english(); };
  EXPECT_THAT(show_record(short_game(), 1, said), HasSubstr("▲７六歩  said: 3 s (total 3 s)\n"));
}

TEST(ShowRecord, a_game_without_an_end_stops_at_its_last_board) {
  Record record = short_game();
  record.ending.reset();
  EXPECT_THAT(shown(record, std::nullopt), Not(HasSubstr("#RESIGN")));
}

TEST(ShowRecord, the_terminal_gets_no_control_bytes) {
  const std::string text = shown(short_game(), std::nullopt);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("the moves"));
}

}  // namespace
}  // namespace kakehashi::shogi::record
