#include "shogi/declaration.hpp"

#include <gtest/gtest.h>

#include "tests/shogi/boards.hpp"

namespace kakehashi::shogi {
namespace {

// Black's king and ten other pieces in the camp, 14 points on the board.
constexpr const char* camp = "1+P+PK+P+P3/+N+P+B+P1+P3/3+P5/9/9/9/9/9/4k4 b ";

Declaration declare(const std::string& hands) {
  return judge_declaration(board(camp + hands + " 1"), Color::black);
}

TEST(Declaration, big_pieces_count_five_promoted_or_not_others_one) {
  EXPECT_EQ(declare("-").points, 14);
  EXPECT_EQ(declare("R").points, 19);
  EXPECT_EQ(declare("RB").points, 24);
  EXPECT_EQ(declare("GSNLP").points, 19);
  EXPECT_EQ(declare("rgsnlp").points, 14) << "the opponent's hand does not count";
}

TEST(Declaration, black_needs_28_points) {
  EXPECT_FALSE(declare("2R3P").is_valid());
  EXPECT_EQ(declare("2R3P").points, 27);
  EXPECT_TRUE(declare("2R4P").is_valid());
  EXPECT_EQ(declare("2R4P").points_needed, 28);
}

TEST(Declaration, white_needs_27_points) {
  const auto white = [](const std::string& hands) {
    return judge_declaration(board("4K4/9/9/9/9/9/5+p3/3+p1+p+b+p+n/3+p+pk+p+p1 w " + hands + " 1"),
                             Color::white);
  };
  EXPECT_EQ(white("2r2p").points, 26);
  EXPECT_FALSE(white("2r2p").is_valid());
  EXPECT_EQ(white("2r3p").points, 27);
  EXPECT_TRUE(white("2r3p").is_valid());
}

TEST(Declaration, ten_pieces_without_the_king_must_stand_in_the_camp) {
  const Declaration nine = judge_declaration(
      board("1+P+PK+P+P3/+N+P+B+P1+P3/9/3+P5/9/9/9/9/4k4 b 2R8P 1"), Color::black);
  EXPECT_EQ(nine.pieces_in_camp, 9);
  EXPECT_EQ(nine.points, 31) << "a piece outside the camp has no points";
  EXPECT_FALSE(nine.is_valid());
  EXPECT_EQ(declare("2R4P").pieces_in_camp, 10);
}

TEST(Declaration, the_king_must_stand_in_the_camp) {
  const Declaration declaration = judge_declaration(
      board("1+P+P1+P+P3/+N+P+B+P1+P3/3+P5/3K5/9/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_FALSE(declaration.king_in_camp);
  EXPECT_EQ(declaration.points, 28);
  EXPECT_FALSE(declaration.is_valid());
}

TEST(Declaration, a_king_in_check_cannot_declare) {
  const Declaration declaration = judge_declaration(
      board("1+P+PK1+P3/+N+P+B+P1+P3/3+P+P4/9/6b2/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_FALSE(declaration.is_in_check);
  EXPECT_TRUE(declaration.is_valid());
  const Declaration checked = judge_declaration(
      board("1+P+PK1+P3/+N+P+B+P1+P3/3+P+P4/6b2/9/9/9/9/4k4 b 2R4P 1"), Color::black);
  EXPECT_EQ(checked.points, declaration.points);
  EXPECT_TRUE(checked.is_in_check);
  EXPECT_FALSE(checked.is_valid());
}

TEST(Declaration, it_is_made_on_the_own_turn) {
  Position position = board(std::string(camp) + "2R4P 1");
  position.set_side_to_move(Color::white);
  const Declaration declaration = judge_declaration(position, Color::black);
  EXPECT_FALSE(declaration.is_own_turn);
  EXPECT_FALSE(declaration.is_valid());
}

TEST(Declaration, nobody_declares_at_the_start) {
  for (const Color color : {Color::black, Color::white}) {
    const Declaration declaration = judge_declaration(Position::startpos(), color);
    EXPECT_FALSE(declaration.is_valid());
    EXPECT_EQ(declaration.pieces_in_camp, 0);
    EXPECT_EQ(declaration.points, 0);
  }
}

}  // namespace
}  // namespace kakehashi::shogi
