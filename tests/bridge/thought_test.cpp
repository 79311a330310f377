#include "bridge/game/thought.hpp"

#include <gtest/gtest.h>

#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {
namespace {

using shogi::Color;
using shogi::Position;

Thought thought(std::initializer_list<const char*> infos) {
  Thought result;
  for (const char* text : infos) {
    result.take(usi::parse_info(text));
  }
  return result;
}

std::string comment(std::initializer_list<const char*> infos, const char* played = "7g7f") {
  return floodgate_comment(Position::startpos(), played, thought(infos));
}

Position after(std::initializer_list<const char*> moves) {
  Position position = Position::startpos();
  for (const char* word : moves) {
    position.play(shogi::usi::parse_move(word).value());
  }
  return position;
}

TEST(Thought, bounds_count_in_the_direction_that_they_prove) {
  EXPECT_TRUE(thought({"score cp -3000"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score cp -2999"}).is_at_most(-3000));
  EXPECT_TRUE(thought({"score mate -3"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score mate 3"}).is_at_most(-3000));
  EXPECT_FALSE(thought({}).is_at_most(-3000));
  // At most -3000 is low; at least -3000 may be anything.
  EXPECT_TRUE(thought({"score cp -3000 upperbound"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score cp -3000 lowerbound"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score cp -2000 upperbound"}).is_at_most(-3000));
  EXPECT_TRUE(thought({"score mate -3 upperbound"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score mate -3 lowerbound"}).is_at_most(-3000));
  // Behind an exact score: a fail low, a fail high, and two that prove nothing.
  EXPECT_TRUE(thought({"score cp -100", "score cp -3100 upperbound"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score cp -3100", "score cp -200 lowerbound"}).is_at_most(-3000));
  EXPECT_TRUE(thought({"score cp -3100", "score cp -3200 lowerbound"}).is_at_most(-3000));
  EXPECT_TRUE(thought({"score cp -3100", "score cp 0 upperbound"}).is_at_most(-3000));
  EXPECT_FALSE(thought({"score cp -3100 upperbound", "score cp -100"}).is_at_most(-3000));
}

TEST(EvalComment, black_sees_its_own_score_and_the_line_from_the_reply_on) {
  EXPECT_EQ(comment({"depth 9 score cp 52 pv 7g7f 3c3d 2g2f"}), "'* 52 -3334FU +2726FU");
}

TEST(EvalComment, white_sees_the_sign_turned) {
  const Thought white = thought({"score cp 80 pv 3c3d 2g2f"});

  EXPECT_EQ(floodgate_comment(after({"7g7f"}), "3c3d", white), "'* -80 +2726FU");
}

TEST(EvalComment, nothing_thought_is_no_comment) {
  EXPECT_EQ(comment({}), "");
  EXPECT_EQ(comment({"string book move 7g7f", "nodes 100 nps 1000"}), "");
}

TEST(EvalComment, a_score_without_its_line_stands_alone) {
  EXPECT_EQ(comment({"score cp 52"}), "'* 52");
  EXPECT_EQ(comment({"score cp 52 pv 2g2f 3c3d"}), "'* 52");
  EXPECT_EQ(comment({"score cp 52 pv 7g7f"}), "'* 52");
}

TEST(EvalComment, mates_are_the_greatest_score_for_the_winner) {
  EXPECT_EQ(comment({"score mate 5"}), "'* 100000");
  EXPECT_EQ(comment({"score mate +"}), "'* 100000");
  EXPECT_EQ(comment({"score mate -3"}), "'* -100000");
  EXPECT_EQ(comment({"score mate -"}), "'* -100000");
  EXPECT_EQ(floodgate_comment(after({"7g7f"}), "3c3d", thought({"score mate 5"})), "'* -100000");
}

TEST(EvalComment, centipawns_never_reach_a_mate) {
  EXPECT_EQ(comment({"score cp 3200000"}), "'* 99999");
  EXPECT_EQ(comment({"score cp -3200000"}), "'* -99999");
}

TEST(EvalComment, a_bound_counts_until_an_exact_score_is_known) {
  EXPECT_EQ(comment({"score cp 10 lowerbound pv 7g7f 3c3d"}), "'* 10 -3334FU");
  EXPECT_EQ(comment({"score cp 10 lowerbound", "score cp 20 upperbound"}), "'* 20");
  EXPECT_EQ(comment({"score cp 10", "score cp 20 lowerbound pv 2g2f", "score cp 30 upperbound"}),
            "'* 10");
}

TEST(EvalComment, other_variations_and_remarks_change_nothing) {
  EXPECT_EQ(comment({"multipv 1 score cp 10 pv 7g7f 3c3d", "multipv 2 score cp -99 pv 2g2f 8c8d",
                     "string score cp 777"}),
            "'* 10 -3334FU");
}

TEST(EvalComment, a_line_ends_where_it_is_no_longer_legal) {
  EXPECT_EQ(comment({"score cp 1 pv 7g7f 3c3d 3g3c 8c8d"}), "'* 1 -3334FU");
  EXPECT_EQ(comment({"score cp 1 pv 7g7f exit"}), "'* 1");
}

TEST(EvalComment, a_line_is_cut_after_twenty_moves) {
  std::string info = "score cp 1 pv 2h3h";
  for (int i = 0; i < 10; ++i) {
    info += " 8b7b 3h2h 7b8b 2h3h";
  }
  const std::string text = comment({info.c_str()}, "2h3h");

  EXPECT_EQ(text.size(), std::string("'* 1").size() + comment_pv_moves_max * 8);
  EXPECT_TRUE(text.ends_with("+2838HI"));
}

TEST(EvalComment, no_comma_and_no_line_end_is_ever_in_it) {
  const std::string text = comment({"score cp 52 pv 7g7f 3c3d,2g2f 2g2f"});

  EXPECT_EQ(text, "'* 52");
}

TEST(Thought, depth_and_nodes_are_of_the_last_word) {
  const Thought last = thought({"depth 9 seldepth 12 nodes 1000 nps 50 score cp 1 pv 7g7f",
                                "depth 10 seldepth 14 nodes 2000 nps 60 score cp 2 pv 2g2f",
                                "nodes 3000 nps 70"});

  EXPECT_EQ(last.depth, 10);
  EXPECT_EQ(last.seldepth, 14);
  EXPECT_EQ(last.nodes, 3000);
  EXPECT_EQ(last.nps, 70);
  EXPECT_EQ(last.pv, std::vector<std::string>{"2g2f"});
}

TEST(BlackScore, the_thinker_decides_the_sign) {
  const usi::Score score{.is_mate = false, .value = -30};

  EXPECT_EQ(black_score(score, Color::black), -30);
  EXPECT_EQ(black_score(score, Color::white), 30);
}

}  // namespace
}  // namespace kakehashi::bridge
