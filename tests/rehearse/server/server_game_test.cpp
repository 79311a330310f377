// What two clients and the server say to each other from summary to result and after.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rehearse/server/hall.hpp"

namespace kakehashi::rehearse::server {
namespace {

using base::Millis;
using base::Seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ServerGame, the_summary_stands_word_for_word) {
  Hall hall;
  hall.connect("Black");
  hall.say("Black", "LOGIN Black test-300-10F-B,x");
  hall.log_in("White", "test-300-10F-W,y");
  EXPECT_THAT(
      hall.hear("Black"),
      ElementsAre("LOGIN:Black OK", "BEGIN Game_Summary", "Protocol_Version:1.2",
                  "Protocol_Mode:Server", "Format:Shogi 1.0", "Declaration:Jishogi 1.1",
                  "Game_ID:local+test-300-10F+Black+White+20260102000200", "Name+:Black",
                  "Name-:White", "Your_Turn:+", "Rematch_On_Draw:NO", "To_Move:+",
                  "Max_Moves:256", "BEGIN Time", "Time_Unit:1sec", "Total_Time:300", "Byoyomi:0",
                  "Increment:10", "Least_Time_Per_Move:0", "END Time", "BEGIN Position",
                  "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY", "P2 * -HI *  *  *  *  * -KA * ",
                  "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU", "P4 *  *  *  *  *  *  *  *  * ",
                  "P5 *  *  *  *  *  *  *  *  * ", "P6 *  *  *  *  *  *  *  *  * ",
                  "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU", "P8 * +KA *  *  *  *  * +HI * ",
                  "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY", "+", "END Position", "END Game_Summary"));
}

TEST(ServerGame, a_stop_watch_game_announces_minutes) {
  Hall hall;
  hall.log_in("a", "test-600-060-B,x");
  hall.connect("b");
  hall.say("b", "LOGIN b test-600-060-W,y");
  const auto summary = hall.hear("b");
  EXPECT_THAT(summary, Contains("Time_Unit:1min"));
  EXPECT_THAT(summary, Contains("Total_Time:600"));
  EXPECT_THAT(summary, Contains("Byoyomi:60"));
}

TEST(ServerGame, both_agree_and_the_game_starts) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  (void)hall.hear("a");
  hall.say("a", "AGREE anything");
  EXPECT_THAT(hall.hear("a"), IsEmpty());
  EXPECT_THAT(hall.hear("b"), IsEmpty());
  hall.say("b", "AGREE");
  EXPECT_THAT(hall.hear("a"), ElementsAre("START:" + hall.game_id()));
  EXPECT_THAT(hall.hear("b"), ElementsAre("START:" + hall.game_id()));
}

TEST(ServerGame, a_second_agree_is_an_error) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  hall.say("a", "AGREE");
  (void)hall.hear("a");
  hall.say("a", "AGREE");
  hall.say("a", "REJECT");
  const std::string error =
      "##[ERROR] you are in start_waiting status. AGREE is valid in agree_waiting status";
  EXPECT_THAT(hall.hear("a"), ElementsAre(error, error));
}

TEST(ServerGame, a_rejection_reaches_both_and_closes_the_rejector) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  hall.say("a", "AGREE");
  (void)hall.hear("a");
  (void)hall.hear("b");
  hall.say("b", "REJECT " + hall.game_id());
  EXPECT_THAT(hall.hear("a"), ElementsAre("REJECT:" + hall.game_id() + " by b"));
  EXPECT_THAT(hall.hear("b"), ElementsAre("REJECT:" + hall.game_id() + " by b"));
  EXPECT_FALSE(hall.is_open("b"));
  EXPECT_TRUE(hall.is_open("a"));
  hall.say("a", "anything");
  EXPECT_FALSE(hall.is_open("a"));
  EXPECT_THAT(hall.hear("a"), IsEmpty());
}

TEST(ServerGame, who_leaves_while_agreeing_rejects) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  (void)hall.hear("a");
  hall.vanish("b");
  EXPECT_THAT(hall.hear("a"), ElementsAre("REJECT:" + hall.game_id() + " by b"));
  EXPECT_EQ(std::get<GameRejected>(hall.reports().back()).by, "b");
}

TEST(ServerGame, nobody_waits_longer_than_the_agree_window) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  hall.say("a", "AGREE");
  (void)hall.hear("a");
  (void)hall.hear("b");
  hall.pass(Millis(119'999));
  EXPECT_THAT(hall.hear("a"), IsEmpty());
  hall.pass(Millis(1));
  const auto line = "REJECT:" + hall.game_id() + " by the Server (timed out)";
  EXPECT_THAT(hall.hear("a"), ElementsAre(line));
  EXPECT_THAT(hall.hear("b"), ElementsAre(line));
  EXPECT_FALSE(hall.is_open("b")) << "who did not agree is closed at once";
}

TEST(ServerGame, who_ends_the_game_is_closed_and_the_other_stays_for_a_while) {
  Hall hall;
  hall.start_game();
  hall.say("black", "%TORYO");
  EXPECT_FALSE(hall.is_open("black"));
  EXPECT_THAT(hall.hear("white"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  hall.pass(Millis(59'999));
  EXPECT_TRUE(hall.is_open("white"));
  hall.pass(Millis(1));
  EXPECT_FALSE(hall.is_open("white"));
}

TEST(ServerGame, the_leftover_is_closed_by_its_next_line_without_an_answer) {
  Hall hall;
  hall.start_game();
  hall.say("black", "%TORYO");
  (void)hall.hear("white");
  hall.say("white", "LOGOUT");
  EXPECT_FALSE(hall.is_open("white"));
  EXPECT_THAT(hall.hear("white"), IsEmpty());
}

TEST(ServerGame, lines_before_their_turn_are_played_at_the_poll_after_it_comes) {
  Hall hall;
  hall.start_game();
  hall.say("white", "-3334FU");
  hall.pass(Millis(900));
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("white"), ElementsAre("+7776FU,T0"));
  hall.pass(Millis(99));
  EXPECT_THAT(hall.hear("white"), IsEmpty());
  hall.pass(Millis(1));
  EXPECT_THAT(hall.hear("white"), ElementsAre("-3334FU,T0"));
  EXPECT_THAT(hall.hear("black"), ElementsAre("+7776FU,T0", "-3334FU,T0"));
}

TEST(ServerGame, what_follows_a_deferred_line_queues_up_behind_it) {
  Hall hall;
  hall.start_game();
  hall.say("white", "%TORYO");
  hall.say("black", "+7776FU");
  hall.say("white", "-3334FU");
  EXPECT_THAT(hall.hear("white"), ElementsAre("+7776FU,T0", "%TORYO", "#RESIGN", "#LOSE"));
  EXPECT_FALSE(hall.is_open("white"));
}

TEST(ServerGame, the_last_move_sent_again_is_dropped) {
  Hall hall;
  hall.start_game();
  hall.say("black", "+7776FU");
  hall.say("black", "+7776FU,'* 1");
  hall.say("white", "-3334FU");
  hall.pass(Seconds(5));
  EXPECT_THAT(hall.hear("black"), ElementsAre("+7776FU,T0", "-3334FU,T0"));
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("black"), ElementsAre("#ILLEGAL_MOVE", "#LOSE"));
}

TEST(ServerGame, too_many_lines_before_their_turn_close_the_connection) {
  Hall hall;
  hall.start_game();
  for (std::size_t i = 0; i <= Server::deferred_max; ++i) {
    hall.say("white", "-3334FU");
  }
  EXPECT_FALSE(hall.is_open("white"));
}

TEST(ServerGame, a_keepalive_is_answered_in_every_state_and_blanks_never) {
  Hall hall;
  hall.log_in("black", "test-60-10-B,b");
  const auto expect_answer = [&hall](const char* when) {
    (void)hall.hear("black");
    hall.say("black", "");
    EXPECT_THAT(hall.hear("black"), ElementsAre("")) << when;
    for (const char* blank : {" ", "    ", "\t"}) {
      hall.say("black", blank);
    }
    EXPECT_THAT(hall.hear("black"), IsEmpty()) << when;
  };
  expect_answer("waiting");
  hall.log_in("white", "test-60-10-W,w");
  expect_answer("agreeing");
  hall.say("black", "AGREE");
  hall.say("white", "AGREE");
  expect_answer("own turn");
  hall.say("black", "+7776FU");
  expect_answer("the other's turn");
}

TEST(ServerGame, a_keepalive_on_the_own_turn_looks_at_the_clock) {
  Hall hall(like_the_real_server());
  hall.start_game("test-0-2");
  hall.pass(Seconds(3));
  hall.say("white", "");
  EXPECT_THAT(hall.hear("white"), ElementsAre(""));
  hall.say("black", "");
  EXPECT_THAT(hall.hear("black"), ElementsAre("", "#TIME_UP", "#LOSE"));
  EXPECT_FALSE(hall.is_open("black"));
}

TEST(ServerGame, time_is_up_at_its_instant) {
  Hall hall;
  hall.start_game("test-0-2");
  hall.pass(Millis(1'999));
  EXPECT_THAT(hall.hear("white"), IsEmpty());
  hall.pass(Millis(1));
  EXPECT_THAT(hall.hear("white"), ElementsAre("#TIME_UP", "#WIN"));
  EXPECT_THAT(hall.hear("black"), ElementsAre("#TIME_UP", "#LOSE"));
  EXPECT_FALSE(hall.is_open("black"));
  EXPECT_TRUE(hall.is_open("white"));
}

TEST(ServerGame, late_time_up_comes_with_the_poll_of_the_silent_player) {
  Hall hall(like_the_real_server());
  hall.start_game("test-0-2");
  hall.pass(Millis(59'999));
  EXPECT_THAT(hall.hear("white"), IsEmpty());
  hall.pass(Millis(1));
  EXPECT_THAT(hall.hear("white"), ElementsAre("#TIME_UP", "#WIN"));
}

TEST(ServerGame, logout_on_the_own_turn_loses) {
  Hall hall;
  hall.start_game();
  hall.say("black", "LOGOUT");
  EXPECT_THAT(hall.hear("black"), ElementsAre("LOGOUT:completed", "%TORYO", "#RESIGN", "#LOSE"));
  EXPECT_FALSE(hall.is_open("black"));
  EXPECT_THAT(hall.hear("white"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
}

TEST(ServerGame, logout_off_turn_is_noticed_at_the_next_move) {
  Hall hall;
  hall.start_game();
  hall.say("white", "LOGOUT");
  EXPECT_THAT(hall.hear("white"), ElementsAre("LOGOUT:completed"));
  hall.say("black", "");
  EXPECT_THAT(hall.hear("black"), ElementsAre("")) << "a keepalive shows nothing";
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("black"), ElementsAre("+7776FU,T0", "%TORYO", "#RESIGN", "#WIN"));
}

TEST(ServerGame, a_mover_that_vanishes_hands_the_win_over_at_once) {
  Hall hall;
  hall.start_game();
  hall.vanish("black");
  EXPECT_THAT(hall.hear("white"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_THAT(hall.hear("black"), IsEmpty());
}

TEST(ServerGame, both_may_vanish_one_after_the_other) {
  Hall hall;
  hall.start_game();
  hall.vanish("white");
  hall.vanish("black");
  EXPECT_EQ(std::get<GameEnded>(hall.reports().back()).reason, EndReason::abnormal);
}

TEST(ServerGame, unknown_words_do_no_harm) {
  Hall hall;
  hall.start_game();
  hall.say("black", "PING");
  hall.say("black", "%%FOO bar");
  hall.say("black", "%");
  hall.say("black", "+%TORYO");
  hall.say("black", "%%%comment");
  EXPECT_THAT(hall.hear("black"),
              ElementsAre("##[ERROR] unknown command: PING",
                          "##[ERROR] unknown command: %%FOO bar", "##[ERROR] unknown command: %",
                          "##[ERROR] unknown command: +%TORYO"));
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("black"), ElementsAre("+7776FU,T0"));
}

TEST(ServerGame, moves_outside_a_game_are_ignored) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.say("a", "+7776FU");
  hall.say("a", "%TORYO");
  EXPECT_THAT(hall.hear("a"), IsEmpty());
  EXPECT_TRUE(hall.is_open("a"));
}

TEST(ServerGame, watchers_are_told_start_moves_and_end) {
  Hall hall;
  hall.start_game("test-60-10F");
  hall.pass(Seconds(3));
  hall.say("black", "+7776FU,'* 30");
  hall.say("white", "%TORYO");
  ASSERT_EQ(hall.reports().size(), 3U);
  EXPECT_EQ(std::get<GameStarted>(hall.reports()[0]).names[0], "black");
  const auto& played = std::get<MovePlayed>(hall.reports()[1]);
  EXPECT_EQ(played.ply, 1);
  EXPECT_EQ(played.move.seconds, 3);
  EXPECT_EQ(played.main_time_s[0], 67);
  const auto& ended = std::get<GameEnded>(hall.reports()[2]);
  EXPECT_EQ(ended.reason, EndReason::resign);
  EXPECT_EQ(ended.winner, shogi::Color::black);
  EXPECT_EQ(ended.moves.size(), 1U);
}

TEST(ServerGame, the_least_time_is_announced_and_charged) {
  Settings settings;
  settings.least_time_per_move_s = 1;
  Hall hall(settings);
  hall.log_in("black", "test-60-10-B,b");
  hall.log_in("white", "test-60-10-W,w");
  EXPECT_THAT(hall.hear("black"), Contains("Least_Time_Per_Move:1"));
  hall.say("black", "AGREE");
  hall.say("white", "AGREE");
  (void)hall.hear("white");
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("white"), ElementsAre("+7776FU,T1"));
}

}  // namespace
}  // namespace kakehashi::rehearse::server
