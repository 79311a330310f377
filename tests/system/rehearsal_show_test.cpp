#include "cli/rehearsal_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace kakehashi::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bridge::View view_of(shogi::Color our_color, std::vector<std::string> moves) {
  bridge::GameView game;
  game.game_id = "g1";
  game.black_name = "alice";
  game.white_name = "bob";
  game.our_color = our_color;
  game.position = shogi::Position::startpos();
  game.position.set_side_to_move(moves.size() % 2 == 0 ? shogi::Color::black : shogi::Color::white);
  for (auto& move : moves) {
    game.moves.push_back({std::move(move), base::Millis{1000}});
  }
  bridge::View view;
  view.phase = bridge::Phase::playing;
  view.game = std::move(game);
  return view;
}

bridge::View alice(std::vector<std::string> moves) { return view_of(shogi::Color::black, std::move(moves)); }
bridge::View bob(std::vector<std::string> moves) { return view_of(shogi::Color::white, std::move(moves)); }

bridge::View with_score(bridge::View view, std::int64_t value) {
  view.game->score = bridge::ViewedScore{};
  view.game->score->value = value;
  return view;
}

bridge::View with_end(bridge::View view, csa::Outcome outcome, std::string path) {
  view.game->end = csa::GameEnd{outcome, "#RESIGN", ""};
  view.game->record_path = std::move(path);
  return view;
}

TEST(GameFollower, a_game_begins_when_both_bots_are_in_it) {
  GameFollower follower(2);
  EXPECT_THAT(follower.observe(0, alice({})), IsEmpty());
  EXPECT_EQ(follower.watched().game, nullptr);
  EXPECT_THAT(follower.observe(1, bob({})),
              ElementsAre("game 1 of 2: alice (black) against bob (white)"));
  ASSERT_NE(follower.watched().game, nullptr);
}

TEST(GameFollower, each_move_is_told_once_in_order_with_the_thought_of_its_mover) {
  GameFollower follower(1);
  (void)follower.observe(0, alice({}));
  (void)follower.observe(1, bob({}));
  EXPECT_THAT(follower.observe(0, with_score(alice({}), 50)), IsEmpty());
  // Bob hears of the move first; it is told when alice's bot has it confirmed.
  EXPECT_THAT(follower.observe(1, bob({"+7776FU"})), IsEmpty());
  EXPECT_THAT(follower.observe(1, with_score(bob({"+7776FU"}), -8)), IsEmpty());
  EXPECT_THAT(follower.observe(0, alice({"+7776FU"})),
              ElementsAre("   1 +7776FU  1.0 s  +50 depth 0"));
  EXPECT_THAT(follower.observe(1, bob({"+7776FU", "-3334FU"})),
              ElementsAre("   2 -3334FU  1.0 s  -8 depth 0"));
  EXPECT_THAT(follower.observe(0, alice({"+7776FU", "-3334FU"})), IsEmpty());
}

TEST(GameFollower, a_thought_is_not_told_again_with_the_next_move) {
  GameFollower follower(1);
  (void)follower.observe(1, bob({}));
  (void)follower.observe(0, alice({}));
  (void)follower.observe(0, with_score(alice({}), 50));
  (void)follower.observe(0, alice({"+7776FU"}));
  (void)follower.observe(1, bob({"+7776FU", "-3334FU"}));
  (void)follower.observe(0, alice({"+7776FU", "-3334FU"}));
  EXPECT_THAT(follower.observe(0, alice({"+7776FU", "-3334FU", "+8822UM"})),
              ElementsAre("   3 +8822UM  1.0 s"));
}

TEST(GameFollower, a_game_is_over_when_it_is_over_for_both_and_the_next_one_counts_on) {
  GameFollower follower(2);
  (void)follower.observe(0, alice({}));
  (void)follower.observe(1, bob({}));
  EXPECT_THAT(follower.observe(0, with_end(alice({}), csa::Outcome::lose, "a.csa")), IsEmpty());
  EXPECT_THAT(follower.observe(1, with_end(bob({}), csa::Outcome::win, "b.csa")),
              ElementsAre("game 1: bob won (#RESIGN) after 0 moves"));
  EXPECT_THAT(follower.observe(1, with_end(bob({}), csa::Outcome::win, "b.csa")), IsEmpty());

  ASSERT_EQ(follower.finished().size(), 1U);
  EXPECT_EQ(follower.finished()[0].outcome, csa::Outcome::lose);
  EXPECT_THAT(follower.finished()[0].record_paths, ElementsAre("a.csa", "b.csa"));

  auto next_of_alice = bob({});
  auto next_of_bob = alice({});
  next_of_alice.game->game_id = next_of_bob.game->game_id = "g2";
  (void)follower.observe(0, next_of_alice);
  EXPECT_THAT(follower.observe(1, next_of_bob),
              ElementsAre("game 2 of 2: alice (black) against bob (white)"));
}

}  // namespace
}  // namespace kakehashi::cli
