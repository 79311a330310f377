#include "rehearse/start_positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "shogi/notation/usi.hpp"

namespace kakehashi::rehearse {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

const std::string start{shogi::usi::startpos_sfen};

std::string problem_of(const std::string& text) {
  const auto read = read_start_positions(text);
  return read ? "none" : read.error().english();
}

TEST(StartPositions, all_ways_to_write_one_are_read) {
  const auto read = read_start_positions(
      "\xEF\xBB\xBFstartpos\r\n"
      "startpos moves 7g7f 3c3d\n"
      "\n"
      "# a remark\n"
      "sfen " + start + "\n"
      "sfen " + start + " moves 2g2f\n"
      "position startpos moves 2g2f 8c8d\n"
      "position sfen " + start + " moves 7g7f\n" +
      start + "\n"
      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -\n"
      "4k4/9/9/9/9/9/9/9/4K4 b R2Prb 40\tmoves R*5b");
  ASSERT_FALSE(!read) << read.error();
  ASSERT_THAT(*read, SizeIs(9));
  EXPECT_THAT((*read)[0].moves, IsEmpty());
  EXPECT_EQ((*read)[0].start, shogi::Position::startpos());
  EXPECT_THAT(csa_moves((*read)[1]), ElementsAre("+7776FU", "-3334FU"));
  EXPECT_THAT(csa_moves((*read)[3]), ElementsAre("+2726FU"));
  EXPECT_EQ((*read)[6].start, shogi::Position::startpos());
  EXPECT_EQ((*read)[7].start.side_to_move(), shogi::Color::white);
  EXPECT_THAT(csa_moves((*read)[8]), ElementsAre("+0052HI"));
}

TEST(StartPositions, a_line_that_cannot_be_used_is_named_with_its_number_and_why) {
  EXPECT_THAT(problem_of("startpos\nstartpos moves 7g7f 7g7f\n"), StartsWith("2: \"7g7f\" is not legal: "));
  EXPECT_THAT(problem_of("startpos moves 7g7"), StartsWith("1: \"7g7\" cannot be read: "));
  EXPECT_THAT(problem_of("startpos 7g7f"), StartsWith("1: \"7g7f\" stands where moves is due"));
  EXPECT_THAT(problem_of("\n\n[Event \"x\"]"), StartsWith("3: a position has board, side, hands"));
  EXPECT_THAT(problem_of("position"), StartsWith("1: a position has board, side, hands"));
  EXPECT_THAT(problem_of("# nothing\n"), StartsWith("2: no position up to the end"));
  EXPECT_THAT(problem_of(""), StartsWith("1: no position"));
}

TEST(StartPositions, one_in_which_no_game_can_begin_is_refused) {
  EXPECT_THAT(problem_of("4k4/9/9/9/9/9/9/9/9 b R"), testing::HasSubstr("a king is missing"));
  EXPECT_THAT(problem_of("4k4/9/4L4/9/9/9/9/9/4K4 b -"), testing::HasSubstr("can be taken"));
  EXPECT_THAT(problem_of("4k4/4G4/4P4/9/9/9/9/9/4K4 w -"), testing::HasSubstr("has no legal move"));
  EXPECT_THAT(problem_of("startpos moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h"),
              testing::HasSubstr("ends the game by repetition"));
  EXPECT_THAT(problem_of("startpos moves 7g7f resign"), testing::HasSubstr("the game is over"));
  EXPECT_THAT(problem_of("sfen 4k4/9/9/4p4/9/9/4P4/9/4K4 b P moves P*5e 5a5b"), testing::HasSubstr("P*5e is not legal"));
}

}  // namespace
}  // namespace kakehashi::rehearse
