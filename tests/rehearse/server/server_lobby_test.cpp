// Logins, pairing and the extended commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rehearse/server/session.hpp"
#include "shogi/notation/usi.hpp"
#include "tests/rehearse/server/hall.hpp"

namespace kakehashi::rehearse::server {
namespace {

using base::Millis;
using base::Seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// Logged in as an x1 client; what was heard is forgotten.
void log_in_x1(Hall& hall, const std::string& client) {
  hall.connect(client);
  hall.say(client, "LOGIN " + client + " pw x1");
  (void)hall.hear(client);
}

bool has_summary(const Lines& lines) {
  return std::find(lines.begin(), lines.end(), "BEGIN Game_Summary") != lines.end();
}

TEST(Lobby, anything_but_a_login_is_incorrect_and_may_be_tried_again) {
  Hall hall;
  hall.connect("a");
  hall.say("a", "");
  hall.say("a", "LOGIN a b c");
  hall.say("a", "LOGIN a b");
  EXPECT_THAT(hall.hear("a"),
              ElementsAre("LOGIN:incorrect", "LOGIN:incorrect",
                          "type 'LOGIN name password' or 'LOGIN name password x1'", "LOGIN:a OK"));
}

TEST(Lobby, who_says_nothing_for_five_minutes_is_closed) {
  Hall hall;
  hall.connect("a");
  hall.pass(Millis(299'999));
  EXPECT_TRUE(hall.is_open("a"));
  hall.pass(Millis(1));
  EXPECT_FALSE(hall.is_open("a"));
}

TEST(Lobby, a_waiting_player_may_be_silent_for_hours) {
  Hall hall;
  hall.log_in("a", "test-60-10,x");
  hall.pass(std::chrono::hours(5));
  EXPECT_TRUE(hall.is_open("a"));
}

TEST(Lobby, the_x1_form_is_confirmed) {
  Hall hall;
  hall.connect("a");
  hall.say("a", "LOGIN a pw x1");
  EXPECT_THAT(hall.hear("a"), ElementsAre("LOGIN:a OK", "##[LOGIN] +OK x1"));
}

TEST(Lobby, the_same_name_with_another_trip_is_refused_and_closed_after_three_seconds) {
  Hall hall;
  hall.log_in("dup", "test-60-10-B,one");
  hall.connect("second");
  hall.say("second", "LOGIN dup test-60-10-B,two");
  EXPECT_THAT(hall.hear("second"), ElementsAre("LOGIN:incorrect"));
  hall.say("second", "LOGIN dup test-60-10-B,one");
  EXPECT_THAT(hall.hear("second"), IsEmpty()) << "a refused client is not heard any more";
  hall.pass(Millis(2'999));
  EXPECT_TRUE(hall.is_open("second"));
  hall.pass(Millis(1));
  EXPECT_FALSE(hall.is_open("second"));
  EXPECT_TRUE(hall.is_open("dup"));
}

TEST(Lobby, the_same_name_and_trip_takes_a_waiting_session_over) {
  Hall hall;
  hall.log_in("dup", "test-60-10-B,one");
  hall.connect("second");
  hall.say("second", "LOGIN dup test-60-10-B,one");
  EXPECT_FALSE(hall.is_open("dup"));
  EXPECT_THAT(hall.hear("second"), ElementsAre("LOGIN:dup OK"));
}

TEST(Lobby, taking_over_an_agreeing_session_rejects_its_game) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-W,y");
  (void)hall.hear("b");
  hall.connect("again");
  hall.say("again", "LOGIN a test-60-10-B,x");
  EXPECT_THAT(hall.hear("b"), ElementsAre("REJECT:" + hall.game_id() + " by a"));
  EXPECT_FALSE(hall.is_open("a"));
}

TEST(Lobby, a_session_in_a_game_is_not_taken_over) {
  Hall hall;
  hall.start_game();
  hall.connect("again");
  hall.say("again", "LOGIN white test-60-10-W,w");
  EXPECT_THAT(hall.hear("again"), ElementsAre("LOGIN:incorrect"));
}

TEST(Lobby, a_session_that_has_been_silent_in_a_game_for_a_day_is_taken_over) {
  Hall hall;
  hall.start_game("test-0-0");
  hall.pass(std::chrono::hours(24) + Seconds(1));
  hall.connect("again");
  hall.say("again", "LOGIN white test-0-0-W,w");
  EXPECT_THAT(hall.hear("again"), ElementsAre("LOGIN:white OK"));
}

TEST(Lobby, an_x1_login_is_told_why_it_is_refused) {
  Hall hall;
  hall.start_game();
  hall.connect("again");
  hall.say("again", "LOGIN white w x1");
  EXPECT_THAT(hall.hear("again"),
              ElementsAre("LOGIN:incorrect", "username white is already connected"));
}

TEST(Lobby, relogin_right_after_a_game_works_while_the_old_socket_lingers) {
  Hall hall;
  hall.start_game();
  hall.say("black", "%TORYO");
  hall.connect("again");
  hall.say("again", "LOGIN white test-60-10-W,w");
  EXPECT_THAT(hall.hear("again"), ElementsAre("LOGIN:white OK"));
  EXPECT_FALSE(hall.is_open("white"));
}

TEST(Lobby, logout_while_waiting_is_completed) {
  Hall hall;
  hall.log_in("a", "test-60-10,x");
  hall.say("a", "LOGOUT");
  EXPECT_THAT(hall.hear("a"), ElementsAre("LOGOUT:completed"));
  EXPECT_FALSE(hall.is_open("a"));
}

TEST(Lobby, the_same_wish_never_matches_and_either_fits_all) {
  Hall hall;
  hall.log_in("a", "test-60-10-B,x");
  hall.log_in("b", "test-60-10-B,x");
  EXPECT_FALSE(has_summary(hall.hear("a")));
  hall.log_in("c", "test-60-10,x");
  EXPECT_THAT(hall.hear("a"), Contains("Your_Turn:+"));
  EXPECT_FALSE(has_summary(hall.hear("b")));
}

TEST(Lobby, other_game_names_do_not_meet) {
  Hall hall;
  hall.log_in("a", "test-60-10,x");
  hall.log_in("b", "test-60-10F,x");
  EXPECT_THAT(hall.hear("a"), IsEmpty());
}

TEST(Lobby, free_colors_are_drawn_from_the_seed) {
  std::set<std::string> ids;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    Hall hall(Settings(), seed);
    hall.log_in("a", "test-60-10,x");
    hall.log_in("b", "test-60-10,x");
    Hall again(Settings(), seed);
    again.log_in("a", "test-60-10,x");
    again.log_in("b", "test-60-10,x");
    EXPECT_EQ(hall.game_id(), again.game_id());
    ids.insert(hall.game_id());
  }
  EXPECT_EQ(ids.size(), 2U);
}

TEST(Lobby, game_ids_count_on_within_a_second) {
  Hall hall;
  hall.log_in("a", "test-60-10,x");
  hall.log_in("b", "test-60-10,x");
  EXPECT_THAT(hall.game_id(), testing::EndsWith("+20260102000200"));
  hall.log_in("c", "test-60-10,x");
  hall.log_in("d", "test-60-10,x");
  EXPECT_THAT(hall.game_id(), testing::EndsWith("+20260102000201"));
}

TEST(Lobby, floodgate_pairs_at_the_half_hour_only) {
  Hall hall(like_the_real_server());
  hall.log_in("a", "floodgate-300-10F,x");
  hall.log_in("b", "floodgate-300-10F,y");
  hall.log_in("left_over", "floodgate-300-10F,z");
  hall.log_in("no_trip", "floodgate-300-10F");
  hall.pass(std::chrono::minutes(28) - Millis(1));
  EXPECT_FALSE(has_summary(hall.hear("a")));
  hall.pass(Millis(1));
  int paired = 0;
  for (const char* client : {"a", "b", "left_over"}) {
    paired += has_summary(hall.hear(client)) ? 1 : 0;
  }
  EXPECT_EQ(paired, 2);
  EXPECT_FALSE(has_summary(hall.hear("no_trip")));
}

TEST(Lobby, floodgate_may_be_paired_at_once_for_rehearsals) {
  Hall hall;
  hall.log_in("a", "floodgate-300-10F,x");
  hall.log_in("no_trip", "floodgate-300-10F");
  EXPECT_FALSE(has_summary(hall.hear("a"))) << "floodgate pairs players with a trip only";
  hall.log_in("b", "floodgate-300-10F,y");
  EXPECT_TRUE(has_summary(hall.hear("a")));
}

TEST(Lobby, floodgate_takes_no_color) {
  Hall hall;
  hall.connect("a");
  hall.say("a", "LOGIN a floodgate-300-10F-B,x");
  EXPECT_THAT(hall.hear("a"),
              ElementsAre("LOGIN:a OK",
                          "##[ERROR] You are not allowed to specify TEBAN + for the game "
                          "floodgate-300-10F"));
}

TEST(Lobby, handicap_games_need_a_color) {
  Hall hall;
  hall.connect("a");
  hall.say("a", "LOGIN a hc2p_test-60-10,x");
  EXPECT_THAT(hall.hear("a").back(),
              "##[ERROR] Random turn preference is not allowed for handicapped games");
}

TEST(Lobby, a_handicap_is_in_the_position_and_the_handicapper_begins) {
  Hall hall;
  hall.log_in("a", "hc2p_test-60-10-B,x");
  hall.log_in("b", "hc2p_test-60-10-W,x");
  const auto summary = hall.hear("a");
  EXPECT_THAT(summary, Contains("P8 *  *  *  *  *  *  *  *  * "));
  EXPECT_THAT(summary, Contains("To_Move:+"));
}

TEST(Lobby, x1_players_ask_for_games_and_stay) {
  Hall hall;
  log_in_x1(hall, "a");
  log_in_x1(hall, "b");
  hall.say("a", "%%GAME one-60-10F +");
  hall.say("b", "%%GAME one-60-10F -");
  hall.say("a", "AGREE");
  hall.say("b", "AGREE");
  (void)hall.hear("b");
  hall.say("a", "%TORYO");
  EXPECT_THAT(hall.hear("b"), ElementsAre("%TORYO", "#RESIGN", "#WIN"));
  EXPECT_TRUE(hall.is_open("a") && hall.is_open("b"));
  hall.say("a", "%%GAME one-60-10F -");
  hall.say("b", "%%GAME one-60-10F *");
  EXPECT_THAT(hall.hear("b"), Contains("Your_Turn:+"));
}

TEST(Lobby, game_commands_are_checked) {
  Hall hall;
  log_in_x1(hall, "a");
  hall.say("a", "%%GAME nonsense +");
  hall.say("a", "%%GAME one-60-10F");
  hall.say("a", "%%GAME one-60-10F x");
  hall.say("a", "CHALLENGE");
  EXPECT_THAT(hall.hear("a"),
              ElementsAre("##[ERROR] bad game name", "##[ERROR] A turn identifier is required",
                          "##[ERROR] A turn identifier is required", "CHALLENGE ACCEPTED"));
}

TEST(Lobby, game_commands_need_the_right_status) {
  Hall hall;
  hall.start_game();
  hall.say("white", "%%GAME one-60-10F +");
  EXPECT_THAT(hall.hear("white"),
              ElementsAre("##[ERROR] you are in game status. GAME is valid in connected or "
                          "game_waiting status"));
}

TEST(Lobby, an_empty_game_command_leaves_the_pool) {
  Hall hall;
  hall.log_in("a", "test-60-10,x");
  hall.say("a", "%%GAME");
  hall.log_in("b", "test-60-10,x");
  EXPECT_THAT(hall.hear("a"), IsEmpty());
}

TEST(Lobby, chat_reaches_extended_clients_only) {
  Hall hall;
  hall.log_in("csa", "test-60-10,x");
  log_in_x1(hall, "w");
  hall.say("csa", "%%CHAT C  is here");
  EXPECT_THAT(hall.hear("w"), ElementsAre("##[CHAT][csa] C  is here"));
  EXPECT_THAT(hall.hear("csa"), IsEmpty());
}

TEST(Lobby, who_has_black_and_from_where_may_be_arranged) {
  Arrangement next;
  next.start = *shogi::usi::parse_sfen("4k4/9/9/9/9/9/9/9/4K4 w Rr 1");
  next.moves = {{"-0055HI", 0}};
  next.event = "game7";
  for (const char* black : {"a", "b", "a"}) {
    for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
      Hall hall({}, seed);
      next.black = black;
      hall.arrange(next);
      hall.log_in("a", "test-60-10,x");
      hall.log_in("b", "test-60-10,y");
      const auto summary = hall.hear("a");
      const std::string turn = std::string("Your_Turn:") + (*black == 'a' ? "+" : "-");
      EXPECT_THAT(summary, Contains(turn));
      EXPECT_THAT(summary, Contains(StartsWith("Game_ID:game7+test-60-10+" + std::string(black) + "+")));
      EXPECT_THAT(summary, Contains("To_Move:+"));
      EXPECT_THAT(summary, Contains("P+00HI"));
      EXPECT_THAT(Lines(summary.end() - 4, summary.end()),
                  ElementsAre("-", "-0055HI,T0", "END Position", "END Game_Summary"));
      // It holds until another one is made: a pairing that is rejected comes again as it was.
      hall.say("a", "REJECT");
      hall.log_in("a", "test-60-10,x");
      hall.log_in("b", "test-60-10,y");
      EXPECT_THAT(hall.hear("a"), Contains(turn));
    }
  }
}

TEST(Lobby, an_arranged_start_may_leave_the_colors_to_the_lot) {
  Arrangement next;
  next.start = shogi::Position::startpos();
  next.moves = {{"+7776FU", 12}, {"-3334FU"}, {"+2726FU"}};
  std::set<bool> is_black;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Hall hall({}, seed);
    hall.arrange(next);
    hall.log_in("a", "buoy_x-60-10F,x");
    hall.log_in("b", "buoy_x-60-10F,y");
    const auto summary = hall.hear("a");
    EXPECT_THAT(summary, Contains("To_Move:-"));
    EXPECT_THAT(Lines(summary.end() - 6, summary.end()),
                ElementsAre("+", "+7776FU,T12", "-3334FU,T1", "+2726FU,T1", "END Position", "END Game_Summary"));
    is_black.insert(std::find(summary.begin(), summary.end(), "Your_Turn:+") != summary.end());
  }
  EXPECT_EQ(is_black.size(), 2U);
}

TEST(Lobby, without_an_arranged_start_it_is_the_games_own) {
  Hall hall;
  Arrangement next;
  next.black = "b";
  hall.arrange(next);
  hall.log_in("b", "hc2p_test-60-10-B,x");
  hall.log_in("a", "hc2p_test-60-10-W,x");
  const auto summary = hall.hear("b");
  EXPECT_THAT(summary, Contains("P8 *  *  *  *  *  *  *  *  * "));
  EXPECT_THAT(summary, Contains(StartsWith("Game_ID:local+")));
}

TEST(Lobby, a_full_house_closes_the_door) {
  Hall hall;
  for (std::size_t i = 0; i < Sessions::connections_max; ++i) {
    hall.connect("client " + std::to_string(i));
  }
  hall.connect("one too many");
  EXPECT_FALSE(hall.is_open("one too many"));
}

TEST(Lobby, waking_for_nothing_does_nothing) {
  Hall hall(like_the_real_server());
  hall.start_game();
  hall.wake();
  hall.pass(Millis(1));
  hall.wake();
  EXPECT_THAT(hall.hear("black"), IsEmpty());
  EXPECT_THAT(hall.hear("white"), IsEmpty());
}

/// Whatever a client says: no exception, and the others' game goes on.
TEST(Lobby, hostile_bytes_do_no_harm) {
  Hall hall;
  hall.start_game();
  log_in_x1(hall, "x");
  for (const std::string& line :
       {std::string("%%"), std::string("%%GAME \xff\xff +"), std::string("%%CHAT"),
        std::string("\0\0", 2), std::string(8000, 'x'), std::string("+"), std::string("\xc3"),
        std::string("AGREE")}) {
    hall.say("x", line);
  }
  hall.say("black", "+7776FU");
  EXPECT_THAT(hall.hear("white"), ElementsAre("+7776FU,T0"));
}

}  // namespace
}  // namespace kakehashi::rehearse::server
