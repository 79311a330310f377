// The rescue by itself: which move is played for the engine, of what is known of the game. No engine and no connection.
#include "bridge/game/rescue.hpp"

#include <gtest/gtest.h>

#include <string>

#include "shogi/legality.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {
namespace {

class Rescue : public testing::Test {
 protected:
  /// We are black; a search of ours has said nothing yet.
  Rescue() : game(summary("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -")) {
    thinking.begin(0, shogi::Color::black);
  }

  static csa::GameSummary summary(const char* sfen) {
    csa::GameSummary made;
    made.start = shogi::usi::parse_sfen(sfen).value();
    csa::TimeControl clock;
    clock.total = base::Millis{60'000};
    made.times = {clock, clock};
    return made;
  }
  void search_says(const char* pv) { thinking.take(usi::parse_info(std::string("depth 9 score cp 20 pv ") + pv)); }
  void plays(const char* move) {
    ASSERT_FALSE(game.play({game.position().side_to_move(), move, base::Millis{1'000}}));
  }
  /// USI; "" where there is no move at all.
  [[nodiscard]] std::string played(const std::string& advice = "") const {
    const auto fallback = choose_fallback(game, thinking, advice);
    return fallback ? shogi::usi::format_move(fallback->move) : "";
  }

  Game game;
  Thinking thinking;
};

TEST_F(Rescue, the_engine_s_last_line_goes_before_what_another_advises) {
  search_says("2g2f 8c8d");
  EXPECT_EQ(played("7g7f"), "2g2f");
}

TEST_F(Rescue, a_line_whose_move_is_against_the_rules_is_left_out) {
  search_says("2g2e 8c8d");
  EXPECT_EQ(played("7g7f"), "7g7f");
}

TEST_F(Rescue, advice_goes_before_an_earlier_plan) {
  search_says("7g7f 3c3d 2g2f");
  plays("+7776FU");
  plays("-3334FU");
  thinking.begin(game.ply(), shogi::Color::black);
  EXPECT_EQ(played("6g6f"), "6g6f");
  EXPECT_EQ(played(), "2g2f") << "the opponent has replied as it was foreseen";
}

TEST_F(Rescue, a_plan_ends_where_the_game_has_left_it) {
  search_says("7g7f 3c3d 2g2f");
  plays("+7776FU");
  plays("-8384FU");
  thinking.begin(game.ply(), shogi::Color::black);
  const auto fallback = choose_fallback(game, thinking, "");
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->move, shogi::legal_moves(game.position()).front()) << "any move that the rules allow";
}

TEST_F(Rescue, a_line_of_the_position_behind_this_one_is_none_of_it) {
  thinking.begin(1, shogi::Color::black);  // on the reply to a move of ours that the server has not taken
  search_says("7g7f");
  EXPECT_EQ(played("6g6f"), "6g6f");
}

TEST_F(Rescue, advice_that_is_no_move_does_no_harm) {
  for (const char* advice : {"resign", "win", "5e5d", "", "\xff"}) {
    EXPECT_NE(played(advice), "") << advice;
  }
}

TEST_F(Rescue, a_king_left_in_check_is_taken_whatever_was_thought) {
  game = Game(summary("4k4/9/9/9/4R4/9/9/9/4K4 b -"));
  search_says("5e5f");
  EXPECT_EQ(played("5e5d"), "5e5a+");
}

TEST_F(Rescue, where_the_rules_allow_no_move_there_is_none) {
  game = Game(summary("4k4/9/9/9/9/9/3gpg3/4g4/4K4 b -"));
  EXPECT_EQ(played("5i5h"), "");
}

}  // namespace
}  // namespace kakehashi::bridge
