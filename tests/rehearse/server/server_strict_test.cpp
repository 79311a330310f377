// A server that holds its clients to the protocol 1.2.1.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rehearse/server/session.hpp"
#include "tests/rehearse/server/hall.hpp"

namespace kakehashi::rehearse::server {
namespace {

using base::Seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

Settings strict() {
  Settings settings;
  settings.is_strict = true;
  return settings;
}

/// "black" and "white" play on a strict server.
struct Game : Hall {
  Game() : Hall(strict()) { start_game(); }
};

EndReason reason_of(const Hall& hall) { return std::get<GameEnded>(hall.reports().back()).reason; }

TEST(ServerStrict, a_move_out_of_turn_loses_the_game) {
  Game game;
  game.say("white", "-3334FU");
  EXPECT_EQ(reason_of(game), EndReason::illegal_action);
  const auto heard = game.hear("white");
  ASSERT_GE(heard.size(), 2U);
  EXPECT_EQ(heard[0], "#ILLEGAL_ACTION");
  EXPECT_EQ(heard[1], "#LOSE");
  EXPECT_EQ(game.hear("black")[1], "#WIN");
}

TEST(ServerStrict, a_comment_or_a_hasty_keepalive_loses_the_game) {
  for (const char* line : {"+7776FU,'* 52", "", " ", "%CHUDAN", "LOGOUT"}) {
    Game game;
    game.say("black", line);
    EXPECT_EQ(reason_of(game), EndReason::illegal_action) << line;
  }
}

TEST(ServerStrict, a_keepalive_after_half_a_minute_is_answered) {
  Game game;
  game.say("black", "+7776FU");
  (void)game.hear("black");
  game.pass(Seconds{30});
  game.say("black", "");
  EXPECT_THAT(game.hear("black"), ElementsAre(""));
}

TEST(ServerStrict, the_connection_outlives_the_game_and_the_next_one_comes) {
  Game game;
  const auto first = game.game_id();
  game.say("black", "%TORYO");
  EXPECT_THAT(game.hear("white"), Contains("#WIN"));
  game.pass(strict_rest - base::Millis{1});
  EXPECT_THAT(game.hear("white"), IsEmpty()) << "a LOGOUT may be under way";
  game.pass(base::Millis{1});
  EXPECT_THAT(game.hear("white"), Contains("BEGIN Game_Summary"));
  EXPECT_NE(game.game_id(), first);
  EXPECT_TRUE(game.is_open("black"));
  EXPECT_TRUE(game.is_open("white"));
  // To leave, an offer that has crossed is no obstacle.
  (void)game.hear("black");
  game.say("black", "LOGOUT");
  EXPECT_THAT(game.hear("black"), Contains("LOGOUT:completed"));
}

TEST(ServerStrict, who_leaves_after_a_game_is_not_paired_again) {
  Game game;
  game.say("black", "%TORYO");
  game.say("black", "LOGOUT");
  EXPECT_THAT(game.hear("black"), Contains("LOGOUT:completed"));
  game.pass(strict_rest);
  EXPECT_THAT(game.hear("white"), Not(Contains("BEGIN Game_Summary")));
}

TEST(ServerStrict, a_move_that_crosses_the_end_of_the_game_is_no_breach_and_a_second_one_is) {
  Game game;
  game.say("black", "%TORYO");
  (void)game.hear("white");
  game.say("white", "-3334FU");
  EXPECT_TRUE(game.is_open("white"));
  EXPECT_THAT(game.hear("white"), IsEmpty());
  game.say("white", "-8384FU");
  EXPECT_FALSE(game.is_open("white"));
}

TEST(ServerStrict, outside_of_a_game_a_breach_costs_the_connection) {
  Hall hall(strict());
  hall.log_in("a", "secret");
  hall.say("a", "%%WHO");
  EXPECT_FALSE(hall.is_open("a"));
  hall.connect("b");
  hall.say("b", "LOGIN b secret x1");
  EXPECT_THAT(hall.hear("b"), ElementsAre("LOGIN:incorrect"));
  EXPECT_FALSE(hall.is_open("b"));
}

TEST(ServerStrict, who_vanishes_in_a_game_is_not_waited_for) {
  Game game;
  game.vanish("black");
  EXPECT_EQ(reason_of(game), EndReason::abnormal);
  (void)game.hear("white");
  game.log_in("other", "test-60-10-B,x");
  game.pass(strict_rest);
  EXPECT_THAT(game.hear("white"), Contains("BEGIN Game_Summary")) << "white waits again";
}

}  // namespace
}  // namespace kakehashi::rehearse::server
