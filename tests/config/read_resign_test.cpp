#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using By = Resign::By;

Resign resign_of(const char* text) {
  return load({std::string("game.resign: ") + text}).bots.at(0).game.resign;
}

TEST(GameResign, is_a_word_or_a_threshold) {
  EXPECT_EQ(resign_of("engine").by, By::engine);
  EXPECT_EQ(resign_of("never").by, By::never);
  const Resign threshold = resign_of("{score: 3000, moves: 5}");
  EXPECT_EQ(threshold.by, By::score);
  EXPECT_EQ(threshold.score, 3000);
  EXPECT_EQ(threshold.moves, 5);
}

TEST(GameResign, names_what_is_wrong) {
  EXPECT_THAT(faults({"game.resign: always"}),
              ElementsAre("game.resign: must be engine, never or {score: 3000, moves: 5}, not "
                          "\"always\""));
  EXPECT_THAT(faults({"game.resign: {score: 3000}"}),
              ElementsAre("game.resign: needs both score and moves"));
  EXPECT_THAT(faults({"game.resign: {score: 0, moves: 5}"}),
              ElementsAre("game.resign.score: must be a whole number from 1 to 100000, not \"0\""));
  EXPECT_THAT(faults({"game.resign: {score: 300, moves: [1]}"}),
              ElementsAre("game.resign.moves: must be a whole number from 1 to 100, not a list"));
  EXPECT_THAT(faults({"game.resign: {points: 300}"}),
              ElementsAre("game.resign.points: is no setting of game.resign; there are score, moves"));
}

}  // namespace
}  // namespace kakehashi::config
