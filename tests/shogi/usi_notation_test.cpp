#include <gtest/gtest.h>

#include "shogi/notation/usi.hpp"
#include "tests/support/random_games.hpp"

namespace kakehashi::shogi::usi {
namespace {

TEST(UsiMove, is_read_with_its_squares_and_promotion) {
  EXPECT_EQ(*parse_move("7g7f"), Move::board(Square(7, 7), Square(7, 6), false));
  EXPECT_EQ(*parse_move("8h2b+"), Move::board(Square(8, 8), Square(2, 2), true));
  EXPECT_EQ(*parse_move("B*5e"), Move::drop(PieceKind::bishop, Square(5, 5)));
}

TEST(UsiMove, is_written_as_it_is_read) {
  for (const char* text : {"7g7f", "8h2b+", "B*5e", "P*1i", "9a9i", "1i1a+"}) {
    EXPECT_EQ(format_move(*parse_move(text)), text);
  }
}

TEST(UsiMove, in_any_other_shape_is_refused_with_the_column) {
  struct Case {
    const char* text;
    std::size_t column;
  };
  for (const Case& c : {Case{"", 0}, Case{"7g7", 0}, Case{"7g7f++", 0}, Case{"7g7f=", 4},
                        Case{"0g7f", 0}, Case{"7j7f", 0}, Case{"7g0f", 2}, Case{"7g7j", 2},
                        Case{"7G7f", 0}, Case{"K*5e", 0}, Case{"p*5e", 0}, Case{"X*5e", 0},
                        Case{"P*5e+", 4}, Case{"**5e", 0}, Case{"resign", 0}, Case{"win", 0}}) {
    const auto result = parse_move(c.text);
    ASSERT_FALSE(result) << c.text;
    EXPECT_EQ(result.error().column, c.column) << c.text;
  }
}

TEST(Sfen, is_written_as_it_is_read) {
  for (const char* text :
       {"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "+R+P+L+N+S+B3/9/4k4/9/9/9/4K4/9/3+b+s+n+l+p+r b Pp 1",
        "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"}) {
    const auto position = parse_sfen(text);
    ASSERT_TRUE(position) << text;
    EXPECT_EQ(format_sfen(*position), text);
  }
}

TEST(Sfen, may_leave_out_the_move_number_and_order_hands_as_it_likes) {
  const auto position = parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w p2SgR");
  ASSERT_TRUE(position);
  EXPECT_EQ(format_sfen(*position, 42), "4k4/9/9/9/9/9/9/9/4K4 w R2Sgp 42");
}

TEST(Sfen, in_any_other_shape_is_refused) {
  for (const char* text : {
           "",
           "startpos",
           "4k4/9/9/9/9/9/9/9/4K4",                // no side
           "4k4/9/9/9/9/9/9/9/4K4 b",              // no hands
           "4k4/9/9/9/9/9/9/9/4K4 b  1",           // two blanks
           "4k4/9/9/9/9/9/9/9/4K4 b - 1 x",        // too many fields
           "4k4/9/9/9/9/9/9/9/4K4 x - 1",          // no such side
           "4k4/9/9/9/9/9/9/9/4K4 b - x",          // no number
           "4k4/9/9/9/9/9/9/9/4K4 b - -1",         // no number
           "4k4/9/9/9/9/9/9/9/4K4 b - 1234567",    // too long a number
           "4k4/9/9/9/9/9/9/4K4 b - 1",            // eight ranks
           "4k4/9/9/9/9/9/9/9/9/4K4 b - 1",        // ten ranks
           "4k5/9/9/9/9/9/9/9/4K4 b - 1",          // ten squares
           "4k3/9/9/9/9/9/9/9/4K4 b - 1",          // eight squares
           "4k4/9/9/9/9/9/9/9/PPPPPPPPPP b - 1",   // ten pieces
           "4k4/0/9/9/9/9/9/9/4K4 b - 1",          // no such digit
           "4k4/45/9/9/9/9/9/9/4K4 b - 1",         // two digits in a row
           "4k4/9/9/9/4x4/9/9/9/4K4 b - 1",        // no such piece
           "4k4/9/9/9/4+G4/9/9/9/4K4 b - 1",       // gold does not promote
           "4k4/9/9/9/8+/9/9/9/4K4 b - 1",         // promoted nothing
           "4k4/9/9/9/9/9/9/9/4K4 b K 1",          // a king in hand
           "4k4/9/9/9/9/9/9/9/4K4 b 2 1",          // a number of nothing
           "4k4/9/9/9/9/9/9/9/4K4 b 0P 1",         // none
           "4k4/9/9/9/9/9/9/9/4K4 b 02P 1",        // a leading zero
           "4k4/9/9/9/9/9/9/9/4K4 b 19P 1",        // more than there are
           "4k4/9/9/9/9/9/9/9/4K4 b 100P 1",       // many more
           "4k4/9/9/9/9/9/9/9/4K4 b PP 1",         // given twice
       }) {
    EXPECT_FALSE(parse_sfen(text)) << text;
  }
}

TEST(Sfen, of_an_impossible_position_is_refused) {
  for (const char* text : {
           "4k4/9/9/9/9/9/9/9/3KK4 b - 1",              // two kings
           "4k4/9/9/4P4/4P4/9/9/9/4K4 b - 1",           // two pawns on a file
           "P3k4/9/9/9/9/9/9/9/4K4 b - 1",              // pawn, lance and knight stuck
           "L3k4/9/9/9/9/9/9/9/4K4 b - 1",              //
           "4k4/N8/9/9/9/9/9/9/4K4 b - 1",              //
           "4k4/9/9/9/9/9/9/9/n3K4 w - 1",              //
           "4k4/9/9/9/9/9/9/9/RRR1K4 b - 1",            // three rooks
           "4k4/9/9/9/9/9/9/9/1+B+B1K4 b b 1",          // three bishops
           "4k4/9/9/9/9/9/PPPPPPPPP/9/4K4 b 10p 1",     // nineteen pawns
       }) {
    EXPECT_FALSE(parse_sfen(text)) << text;
  }
}

TEST(Sfen, without_kings_is_a_mate_problem_and_accepted) {
  EXPECT_TRUE(parse_sfen("4k4/9/9/9/9/9/9/9/9 b G 1"));
  EXPECT_TRUE(parse_sfen("9/9/9/9/9/9/9/9/9 b - 1"));
}

TEST(Sfen, of_every_position_of_random_games_comes_back) {
  std::mt19937_64 random(11);
  for (int game = 0; game < 20; ++game) {
    support::play_random_game(
        Position::startpos(), 100, random,
        [](const Position& position, const std::vector<Move>& moves) {
          EXPECT_EQ(*parse_sfen(format_sfen(position, 7)), position);
          for (const Move& move : moves) {
            EXPECT_EQ(*parse_move(format_move(move)), move);
          }
        });
  }
}

}  // namespace
}  // namespace kakehashi::shogi::usi
