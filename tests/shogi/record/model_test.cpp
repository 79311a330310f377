// A record that contradicts itself is told so, each contradiction in a sentence.
#include "shogi/record/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shogi/notation/usi.hpp"
#include "shogi/record/ending.hpp"

namespace kakehashi::shogi::record {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

Record game(EndingKind ending, const std::vector<std::string>& moves = {},
            std::string_view start = shogi::usi::startpos_sfen) {
  Record record;
  record.start = *shogi::usi::parse_sfen(start);
  for (const std::string& move : moves) {
    record.moves.push_back({*shogi::usi::parse_move(move), std::nullopt, std::nullopt, {}});
  }
  record.ending = Ending{ending, std::nullopt};
  return record;
}

std::vector<std::string> shuffle(int times) {
  std::vector<std::string> moves;
  for (int i = 0; i < times; ++i) {
    moves.insert(moves.end(), {"2h3h", "8b7b", "3h2h", "7b8b"});
  }
  return moves;
}

TEST(Verify, endings_that_no_position_contradicts_are_believed) {
  for (const EndingKind kind :
       {EndingKind::toryo, EndingKind::chudan, EndingKind::time_up, EndingKind::illegal_move,
        EndingKind::illegal_action_by_black, EndingKind::jishogi, EndingKind::hikiwake,
        EndingKind::fuzumi, EndingKind::error}) {
    EXPECT_THAT(inconsistencies(game(kind, {"7g7f"})), IsEmpty()) << static_cast<int>(kind);
  }
}

TEST(Verify, a_record_without_an_ending_is_told_with_its_length) {
  Record record = game(EndingKind::toryo, {"7g7f"});
  record.ending.reset();
  EXPECT_THAT(inconsistencies(record),
              ElementsAre("ending: there is none; the record stops after 1 move"));
  record.moves.clear();
  EXPECT_THAT(inconsistencies(record),
              ElementsAre("ending: there is none; the record stops after 0 moves"));
}

TEST(Verify, a_repetition_needs_its_fourth_time) {
  EXPECT_THAT(inconsistencies(game(EndingKind::sennichite, shuffle(4))), IsEmpty());
  EXPECT_THAT(inconsistencies(game(EndingKind::sennichite, shuffle(3))),
              ElementsAre("ending: repetition, but the last position came up 3 times only"));
  EXPECT_THAT(inconsistencies(game(EndingKind::sennichite, {"7g7f"})),
              ElementsAre("ending: repetition, but the last position came up 1 time only"));
}

TEST(Verify, a_mate_is_looked_up_on_the_board) {
  const std::string_view before = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
  EXPECT_THAT(inconsistencies(game(EndingKind::tsumi, {"G*5b"}, before)), IsEmpty());
  EXPECT_THAT(inconsistencies(game(EndingKind::tsumi, {"G*4b"}, before)),
              ElementsAre("ending: mate, but white is not mated"));
}

TEST(Verify, a_declaration_is_counted_again) {
  EXPECT_THAT(inconsistencies(game(EndingKind::kachi, {},
                                   "1+P+PK+P+P3/+N+P+B+P1+P3/3+P5/9/9/9/9/9/4k4 b 2R4P 1")),
              IsEmpty());
  EXPECT_THAT(
      inconsistencies(game(EndingKind::kachi, {"7g7f"})),
      ElementsAre("ending: a declared win, but by the 27-point rule white may not declare"));
}

TEST(Verify, the_limit_of_moves_must_be_reached) {
  Record record = game(EndingKind::max_moves, {"7g7f", "3c3d"});
  EXPECT_THAT(inconsistencies(record), IsEmpty()) << "the limit is not known";
  record.max_moves = 2;
  EXPECT_THAT(inconsistencies(record), IsEmpty());
  record.max_moves = 3;
  EXPECT_THAT(inconsistencies(record), ElementsAre("ending: the limit of 3 moves, after 2"));
}

TEST(Verify, perpetual_check_is_judged_by_who_gave_it) {
  // Black's rook follows the king along the second rank and back, each time with check.
  std::vector<std::string> moves;
  for (int i = 0; i < 4; ++i) {
    moves.insert(moves.end(), {"5c4c", "4a5a", "4c5c", "5a4a"});
  }
  moves.emplace_back("5c4c");
  const std::string_view start = "5k3/9/4R4/9/9/9/9/9/K8 b - 1";
  const auto judged = [&](EndingKind kind, std::vector<std::string> played) {
    Record record = game(kind, played, start);
    record.ending->reason = perpetual_check_reason;
    return inconsistencies(record);
  };
  EXPECT_THAT(judged(EndingKind::illegal_action_by_black, moves), IsEmpty());
  EXPECT_THAT(judged(EndingKind::illegal_action_by_white, moves),
              ElementsAre("ending: perpetual check by white, but its checks do not repeat the last "
                          "position"));
  moves.resize(5);
  EXPECT_THAT(judged(EndingKind::illegal_action_by_black, moves),
              ElementsAre("ending: perpetual check by black, but its checks do not repeat the last "
                          "position"));
}

TEST(Verify, times_are_held_against_the_clock_of_each_side_once) {
  Record record = game(EndingKind::toryo, {"7g7f", "3c3d", "2g2f", "8c8d", "2f2e"});
  record.black_clock = Clock{10s, 5s, 1s};
  record.white_clock = Clock{std::nullopt, 0s, 0s};
  const auto spend = [&](std::vector<std::optional<base::Millis>> times) {
    for (std::size_t i = 0; i < times.size(); ++i) {
      record.moves[i].consumed = times[i];
    }
  };
  spend({11s, 1h, 6s, 1h, 6s});
  EXPECT_THAT(inconsistencies(record), IsEmpty()) << "increment and byoyomi are there to be used";
  spend({11s, 1h, 7s, std::nullopt, 100s});
  EXPECT_THAT(inconsistencies(record),
              ElementsAre(testing::Property(&base::Message::english,
                                            testing::StartsWith("move 3: black used 7 s, more than its clock of "))));
  spend({10s, 1h, 7s, 1h, 6s});
  EXPECT_THAT(inconsistencies(record), IsEmpty()) << "what is left is kept for the next move";
}

TEST(Verify, no_game_ends_before_it_starts) {
  Record record = game(EndingKind::toryo, {"7g7f"});
  record.started = base::WallTime(2s);
  record.ended = base::WallTime(2s);
  EXPECT_THAT(inconsistencies(record), IsEmpty());
  record.ended = base::WallTime(1s);
  EXPECT_THAT(inconsistencies(record), ElementsAre("ending: the game ended before it started"));
}

}  // namespace
}  // namespace kakehashi::shogi::record
