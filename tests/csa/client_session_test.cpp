#include "csa/client_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "base/check.hpp"
#include "base/overload.hpp"

namespace kakehashi::csa {
namespace {
using base::SteadyTime;
using shogi::Color;
using State = ClientSession::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

constexpr SteadyTime start{1'000s};

/// Events in words, so that a test reads as a dialogue.
std::vector<std::string> words(const std::vector<SessionEvent>& events) {
  std::vector<std::string> result;
  for (const SessionEvent& event : events) {
    result.push_back(std::visit(
        base::Overload{
            [](const LoggedIn& e) { return "logged in as " + e.name; },
            [](const LoginFailed& e) { return "login failed: " + e.detail; },
            [](const LoggedOut&) { return std::string("logged out"); },
            [](const SummaryReceived& e) { return "summary " + e.summary.game_id; },
            [](const SummaryUnusable& e) { return "unusable " + e.game_id; },
            [](const GameStarted& e) { return "started " + e.game_id; },
            [](const GameResumed&) { return std::string("resumed"); },
            [](const AgreementRejected& e) { return "rejected by " + e.by; },
            [](const MovePlayed& e) {
              return e.move + " " + std::to_string(e.consumed.count()) +
                     (e.is_ours ? " ours" : " theirs") + (e.differs_from_sent ? " differs" : "") +
                     (e.is_unechoed ? " unechoed" : "");
            },
            [](const SpecialPlayed& e) { return "special " + e.word; },
            [](const GameEnding& e) { return "ending " + e.reason; },
            [](const GameGoesOn& e) { return "goes on behind " + e.reason; },
            [](const GameEnded& e) {
              return std::string("ended ") + describe(e.end.outcome) + " [" + e.end.reason + "|" +
                     e.end.result + "]";
            },
            [](const Remark& e) { return "remark " + e.text.english(); },
        },
        event));
  }
  return result;
}

/// A session with a server behind it that says what it is told to say.
struct Table {
  ClientSession session;
  SteadyTime now = start;

  std::vector<std::string> hear(std::string_view line) {
    return words(session.on_line(line, now));
  }
  std::vector<std::string> hear_all(std::initializer_list<std::string_view> lines) {
    std::vector<std::string> all;
    for (const std::string_view line : lines) {
      for (std::string& word : hear(line)) {
        all.push_back(std::move(word));
      }
    }
    return all;
  }
  void log_in() {
    static_cast<void>(session.login("mybot", "pw", now));
    static_cast<void>(hear("LOGIN:mybot OK"));
  }
  std::vector<std::string> summary(char our_turn = '+', std::string_view id = "id") {
    return hear_all({"BEGIN Game_Summary", "Game_ID:" + std::string(id), "Name+:a", "Name-:b",
                     std::string("Your_Turn:") + our_turn, "BEGIN Position", "PI", "+",
                     "END Position", "END Game_Summary"});
  }
  void play(char our_turn = '+') {
    log_in();
    static_cast<void>(summary(our_turn));
    static_cast<void>(session.agree(now));
    static_cast<void>(hear("START:id"));
  }
};

// Conformance case 1.
TEST(ClientSession, login_is_said_first_with_name_and_password) {
  ClientSession session;
  EXPECT_EQ(session.login("mybot", "floodgate-300-10F,trip", start),
            "LOGIN mybot floodgate-300-10F,trip");
  EXPECT_EQ(session.state(), State::logging_in);
}

TEST(ClientSession, an_accepted_login_waits_for_a_game) {
  Table table;
  static_cast<void>(table.session.login("mybot", "pw", start));
  EXPECT_THAT(table.hear("LOGIN:mybot OK"), ElementsAre("logged in as mybot"));
  EXPECT_EQ(table.session.state(), State::waiting);
}

// Conformance case 3.
TEST(ClientSession, a_refused_login_ends_the_use_of_this_connection) {
  Table table;
  static_cast<void>(table.session.login("mybot", "pw", start));
  EXPECT_THAT(table.hear("LOGIN:incorrect x"), ElementsAre("login failed: x"));
  EXPECT_EQ(table.session.state(), State::refused);
  EXPECT_EQ(table.session.keepalive_due(50s), std::nullopt);
}

// Conformance case 60: the reconnect form first, where a token was given.
TEST(ClientSession, a_login_with_a_token_takes_the_game_up_without_agreement) {
  Table table;
  EXPECT_EQ(table.session.login_again("mybot", "pw", "id", "token", start),
            "LOGIN mybot pw reconnect:id+token");
  EXPECT_THAT(table.hear("LOGIN:mybot OK"), ElementsAre("logged in as mybot"));
  EXPECT_THAT(table.summary('+'), ElementsAre("summary id"));
  EXPECT_THAT(table.hear_all({"BEGIN Reconnect_State", "Current_Turn:+",
                              "Black_Time_Remaining_Ms:1000", "White_Time_Remaining_Ms:x",
                              "Last_Move:-3334FU,T3", "END Reconnect_State"}),
              ElementsAre("resumed"));
  EXPECT_EQ(table.session.state(), State::playing);
  EXPECT_TRUE(table.session.may_send_move());
}

TEST(ClientSession, a_game_that_was_not_asked_back_does_not_go_on) {
  Table table;
  static_cast<void>(table.session.login_again("mybot", "pw", "another", "token", start));
  static_cast<void>(table.hear("LOGIN:mybot OK"));
  static_cast<void>(table.summary('+'));
  static_cast<void>(table.hear_all({"BEGIN Reconnect_State", "END Reconnect_State"}));
  EXPECT_EQ(table.session.state(), State::summary);
}

TEST(ClientSession, a_game_that_goes_on_follows_the_position_and_not_what_contradicts_it) {
  Table table;
  static_cast<void>(table.session.login_again("mybot", "pw", "id", "token", start));
  static_cast<void>(table.hear("LOGIN:mybot OK"));
  static_cast<void>(table.summary('+'));
  EXPECT_THAT(table.hear_all({"BEGIN Reconnect_State", "Current_Turn:-", "END Reconnect_State"}),
              ElementsAre(HasSubstr("remark"), "resumed"));
  EXPECT_TRUE(table.session.may_send_move());
}

TEST(ClientSession, a_reconnect_state_that_nobody_asked_for_starts_no_game) {
  Table table;
  table.log_in();
  static_cast<void>(table.summary());
  static_cast<void>(table.hear_all({"BEGIN Reconnect_State", "Current_Turn:+",
                                    "END Reconnect_State"}));
  EXPECT_EQ(table.session.state(), State::summary);
}

// Conformance case 5 (the answer to an extended login is no event).
TEST(ClientSession, chatter_changes_nothing_in_any_state) {
  Table table;
  table.play();
  EXPECT_THAT(table.hear("##[LOGIN] +OK x1"), ElementsAre(HasSubstr("remark")));
  EXPECT_THAT(table.hear("##[ERROR] unknown command: x"), ElementsAre(HasSubstr("remark")));
  EXPECT_TRUE(table.session.may_send_move());
}

TEST(ClientSession, chatter_between_the_lines_of_a_summary_is_no_part_of_it) {
  Table table;
  table.log_in();
  EXPECT_THAT(table.hear_all({"BEGIN Game_Summary", "Game_ID:g", "##[CHAT][x] END Game_Summary",
                              "", "Your_Turn:+", "BEGIN Position", "PI", "+", "END Position",
                              "END Game_Summary"}),
              ElementsAre(HasSubstr("remark"), "summary g"));
}

TEST(ClientSession, a_summary_that_breaks_off_does_not_swallow_what_follows) {
  for (const char* line : {"REJECT:g by the Server (timed out)", "START:g", "#CHUDAN"}) {
    Table table;
    table.log_in();
    static_cast<void>(table.hear_all({"BEGIN Game_Summary", "Game_ID:g", "BEGIN Time"}));
    EXPECT_THAT(table.hear(line), testing::Contains(HasSubstr("broken off"))) << line;
    EXPECT_EQ(table.session.state(), State::waiting) << line;
    EXPECT_THAT(table.summary(), ElementsAre("summary id")) << line;
  }
}

TEST(ClientSession, a_summary_that_begins_anew_counts_from_there) {
  Table table;
  table.log_in();
  static_cast<void>(table.hear_all({"BEGIN Game_Summary", "Game_ID:half", "Your_Turn:-"}));
  EXPECT_THAT(table.summary('+', "whole"),
              ElementsAre(HasSubstr("broken off"), "summary whole"));
  EXPECT_EQ(table.session.agree(start), "AGREE whole");
}

TEST(ClientSession, another_offer_takes_the_place_of_the_one_that_was_not_settled) {
  Table table;
  table.log_in();
  static_cast<void>(table.summary('+', "first"));
  static_cast<void>(table.session.agree(start));
  EXPECT_THAT(table.summary('-', "second"), ElementsAre(HasSubstr("remark"), "summary second"));
  EXPECT_EQ(table.session.agree(start), "AGREE second");
}

// Conformance cases 9 and 26.
TEST(ClientSession, agree_names_the_game_and_start_gives_the_turn) {
  Table table;
  table.log_in();
  EXPECT_THAT(table.summary('+'), ElementsAre("summary id"));
  EXPECT_EQ(table.session.agree(start), "AGREE id");
  EXPECT_FALSE(table.session.may_send_move());
  EXPECT_THAT(table.hear("START:id"), ElementsAre("started id"));
  EXPECT_TRUE(table.session.may_send_move());
}

// Conformance case 12.
TEST(ClientSession, without_a_game_id_agree_stands_alone) {
  Table table;
  table.log_in();
  static_cast<void>(table.summary('+', ""));
  EXPECT_EQ(table.session.agree(start), "AGREE");
}

TEST(ClientSession, an_id_that_would_end_our_line_is_not_repeated) {
  for (const std::string_view id : {"a\rLOGOUT", "a\x01", "a\x7F"}) {
    Table table;
    table.log_in();
    static_cast<void>(table.summary('+', std::string(id)));
    EXPECT_EQ(table.session.agree(start), "AGREE");
    Table refused;
    refused.log_in();
    static_cast<void>(refused.summary('+', std::string(id)));
    EXPECT_EQ(refused.session.reject(start), "REJECT");
  }
}

// Conformance case 23.
TEST(ClientSession, an_unusable_summary_is_rejected_by_its_id) {
  Table table;
  table.log_in();
  EXPECT_THAT(table.hear_all({"BEGIN Game_Summary", "Game_ID:bad", "END Game_Summary"}),
              ElementsAre("unusable bad"));
  EXPECT_EQ(table.session.reject(start), "REJECT bad");
  EXPECT_EQ(table.session.state(), State::waiting);
}

// Conformance cases 24 and 25.
TEST(ClientSession, a_rejected_game_leads_back_to_waiting) {
  for (const char* by : {"opponent", "the Server (timed out)"}) {
    Table table;
    table.log_in();
    static_cast<void>(table.summary());
    static_cast<void>(table.session.agree(start));
    EXPECT_THAT(table.hear(std::string("REJECT:id by ") + by),
                ElementsAre(std::string("rejected by ") + by));
    EXPECT_EQ(table.session.state(), State::waiting);
    EXPECT_THAT(table.summary(), ElementsAre("summary id"));
  }
}

// Conformance case 27.
TEST(ClientSession, start_before_agree_is_accepted) {
  Table table;
  table.log_in();
  static_cast<void>(table.summary());
  EXPECT_THAT(table.hear("START:id"), ElementsAre("started id"));
  EXPECT_TRUE(table.session.may_send_move());
}

// Conformance case 28.
TEST(ClientSession, start_with_another_id_is_noted_and_played) {
  Table table;
  table.log_in();
  static_cast<void>(table.summary());
  static_cast<void>(table.session.agree(start));
  EXPECT_THAT(table.hear("START:other"),
              ElementsAre(HasSubstr("another game"), "started other"));
}

// Conformance cases 29, 30, 31 and 40.
TEST(ClientSession, a_move_is_sent_once_and_counts_when_it_is_echoed) {
  Table table;
  table.play();
  EXPECT_EQ(table.session.move("+7776FU", "", start), "+7776FU");
  EXPECT_FALSE(table.session.may_send_move());
  EXPECT_EQ(table.session.turn(), Color::black) << "not before the echo";
  EXPECT_THAT(table.hear("+7776FU,T3"), ElementsAre("+7776FU 3000 ours"));
  EXPECT_EQ(table.session.turn(), Color::white);
  EXPECT_FALSE(table.session.may_send_move());
  EXPECT_THAT(table.hear("-3334FU,T5"), ElementsAre("-3334FU 5000 theirs"));
  EXPECT_TRUE(table.session.may_send_move());
}

TEST(ClientSession, a_move_that_comes_twice_is_played_once) {
  Table table;
  table.play('-');
  EXPECT_THAT(table.hear("+7776FU,T1"), ElementsAre("+7776FU 1000 theirs"));
  static_cast<void>(table.session.move("-3334FU", "", start));
  EXPECT_THAT(table.hear("+7776FU,T1"), ElementsAre(HasSubstr("twice")));
  EXPECT_TRUE(table.session.is_echo_owed());
  EXPECT_THAT(table.hear("-3334FU,T1"), ElementsAre("-3334FU 1000 ours"));
  EXPECT_THAT(table.hear("-3334FU,T1"), ElementsAre(HasSubstr("twice")));
}

TEST(ClientSession, an_echo_that_differs_from_what_was_sent_is_marked) {
  Table table;
  table.play();
  static_cast<void>(table.session.move("+7776FU", "", start));
  EXPECT_THAT(table.hear("+2726FU,T3"), ElementsAre("+2726FU 3000 ours differs"));
}

TEST(ClientSession, sending_out_of_turn_is_a_programmer_error) {
  Table table;
  table.play('-');
  EXPECT_THROW(static_cast<void>(table.session.move("-3334FU", "", start)), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(table.session.resign(start)), base::CheckFailure);
  EXPECT_THROW(static_cast<void>(table.session.declare(start)), base::CheckFailure);
}

// Conformance cases 36 and 39: one comma, no other separator, one line.
TEST(ClientSession, a_comment_cannot_break_its_line) {
  Table table;
  table.play();
  EXPECT_EQ(table.session.move("+7776FU", "'* 52 -3334FU,\n%TORYO\r\x80", start),
            "+7776FU,'* 52 -3334FU%TORYO");
}

TEST(ClientSession, a_long_comment_is_cut_between_words) {
  Table table;
  table.play();
  std::string comment = "'* 52";
  for (int i = 0; i < 500; ++i) {
    comment += " -3334FU";
  }
  const std::string line = table.session.move("+7776FU", comment, start);
  EXPECT_LE(line.size(), ClientSession::line_bytes_max);
  EXPECT_TRUE(line.ends_with(" -3334FU"));
}

struct EndCase {
  const char* name;
  std::vector<const char*> lines;
  std::vector<std::string> events;
};

// Reference 3.4 and 3.5; conformance cases 42 to 56.
TEST(ClientSession, every_known_way_to_end_a_game_is_understood) {
  const EndCase cases[] = {
      {"resigned, shogi-server", {"%TORYO", "#RESIGN", "#WIN"},
       {"special %TORYO", "ending #RESIGN", "ended win [#RESIGN|#WIN]"}},
      {"resigned, with its time", {"%TORYO,T4", "#RESIGN", "#LOSE"},
       {"special %TORYO", "ending #RESIGN", "ended lose [#RESIGN|#LOSE]"}},
      {"resigned, rshogi", {"#RESIGN", "#WIN"},
       {"ending #RESIGN", "ended win [#RESIGN|#WIN]"}},
      {"illegal move without an echo", {"#ILLEGAL_MOVE", "#LOSE"},
       {"ending #ILLEGAL_MOVE", "ended lose [#ILLEGAL_MOVE|#LOSE]"}},
      {"unreadable move echoed", {"+9999XX,T1", "#ILLEGAL_MOVE", "#WIN"},
       {"+9999XX 1000 ours", "ending #ILLEGAL_MOVE", "ended win [#ILLEGAL_MOVE|#WIN]"}},
      {"time up", {"#TIME_UP", "#LOSE"},
       {"ending #TIME_UP", "ended lose [#TIME_UP|#LOSE]"}},
      {"valid declaration", {"%KACHI,T8", "%KACHI", "#JISHOGI", "#WIN"},
       {"special %KACHI", "special %KACHI", "ending #JISHOGI", "ended win [#JISHOGI|#WIN]"}},
      {"invalid declaration", {"%KACHI,T2", "%KACHI", "#ILLEGAL_MOVE", "#WIN"},
       {"special %KACHI", "special %KACHI", "ending #ILLEGAL_MOVE",
        "ended win [#ILLEGAL_MOVE|#WIN]"}},
      {"repetition", {"+7776FU,T0", "#SENNICHITE", "#DRAW"},
       {"+7776FU 0 ours", "ending #SENNICHITE", "ended draw [#SENNICHITE|#DRAW]"}},
      {"perpetual check", {"+7776FU,T0", "#OUTE_SENNICHITE", "#LOSE"},
       {"+7776FU 0 ours", "ending #OUTE_SENNICHITE", "ended lose [#OUTE_SENNICHITE|#LOSE]"}},
      {"move limit, shogi-server", {"+7776FU,T0", "#MAX_MOVES", "#CENSORED"},
       {"+7776FU 0 ours", "ending #MAX_MOVES", "ended draw [#MAX_MOVES|#CENSORED]"}},
      {"move limit, tabia", {"#MAX_MOVES", "#DRAW"},
       {"ending #MAX_MOVES", "ended draw [#MAX_MOVES|#DRAW]"}},
      {"opponent vanished, tabia", {"#CENSORED", "#WIN"},
       {"ending #CENSORED", "ended win [#CENSORED|#WIN]"}},
      {"interrupted", {"#CHUDAN"}, {"ending #CHUDAN", "ended no result [#CHUDAN|]"}},
      {"foul", {"#ILLEGAL_ACTION", "#LOSE"},
       {"ending #ILLEGAL_ACTION", "ended lose [#ILLEGAL_ACTION|#LOSE]"}},
      {"abnormal with a result", {"#ABNORMAL", "#WIN"},
       {"ending #ABNORMAL", "ended win [#ABNORMAL|#WIN]"}},
      {"a result alone", {"#DRAW"}, {"ending #DRAW", "ended draw [|#DRAW]"}},
      {"an unknown reason", {"#SOLAR_FLARE", "#DRAW"},
       {"remark a word that ends no game: \"#SOLAR_FLARE\"", "ending #DRAW",
        "ended draw [#SOLAR_FLARE|#DRAW]"}},
      {"a notice, and tabia's end", {"#NOTICE x", "#CENSORED", "#WIN"},
       {"remark a word that ends no game: \"#NOTICE x\"", "ending #CENSORED",
        "ended win [#CENSORED|#WIN]"}},
  };
  for (const EndCase& end_case : cases) {
    Table table;
    table.play();
    std::vector<std::string> events;
    for (const char* line : end_case.lines) {
      for (std::string& word : table.hear(line)) {
        events.push_back(std::move(word));
      }
    }
    EXPECT_EQ(events, end_case.events) << end_case.name;
    EXPECT_EQ(table.session.state(), State::ended) << end_case.name;
    EXPECT_FALSE(table.session.may_send_move()) << end_case.name;
  }
}

// Conformance case 53a.
TEST(ClientSession, a_censored_game_without_a_result_is_decided_by_silence) {
  Table table;
  table.play();
  EXPECT_THAT(table.hear("#CENSORED"), ElementsAre("ending #CENSORED"));
  ASSERT_EQ(table.session.silence_deadline(), start + PlayedGame::silence_grace);
  EXPECT_THAT(table.session.on_silence(start + 1'999ms), IsEmpty()) << "a timer came early";
  EXPECT_THAT(words(table.session.on_silence(start + 2s)),
              ElementsAre("ended draw [#CENSORED|]"));
  EXPECT_THAT(table.session.on_silence(start + 9s), IsEmpty()) << "it ends once";
}

TEST(ClientSession, a_reason_whose_result_never_comes_ends_the_game_after_a_minute) {
  Table table;
  table.play();
  static_cast<void>(table.hear("#TIME_UP"));
  ASSERT_EQ(table.session.silence_deadline(), start + PlayedGame::result_patience);
  EXPECT_THAT(words(table.session.on_silence(start + 60s)),
              ElementsAre("ended no result [#TIME_UP|]"));
}

TEST(ClientSession, a_word_that_nobody_knows_ends_nothing) {
  Table table;
  table.play();
  for (const char* line : {"#NOTICE the server restarts at noon", "#", "#WINNER", "# WIN"}) {
    EXPECT_THAT(table.hear(line), ElementsAre(HasSubstr("remark a word that ends no game")));
    EXPECT_TRUE(table.session.may_send_move()) << line;
    EXPECT_FALSE(table.session.silence_deadline()) << line;
  }
  static_cast<void>(table.session.move("+7776FU", "", start));
  static_cast<void>(table.hear("#NOTICE"));
  EXPECT_THAT(table.hear_all({"+7776FU,T1", "-3334FU,T1", "#WIN"}),
              ElementsAre("+7776FU 1000 ours", "-3334FU 1000 theirs", "ending #WIN", "ended win [|#WIN]"))
      << "a move shows that the word was no reason";
}

TEST(ClientSession, a_line_lost_behind_a_word_that_nobody_knows_is_lost_in_mid_game) {
  Table table;
  table.play();
  static_cast<void>(table.hear("#NOTICE"));
  EXPECT_THAT(words(table.session.on_closed()), ElementsAre("ending ", "ended no result [|]"));
}

TEST(ClientSession, a_word_that_nobody_knows_breaks_off_no_summary) {
  Table table;
  table.log_in();
  EXPECT_THAT(table.hear_all({"BEGIN Game_Summary", "Game_ID:g", "#NOTICE x", "Name+:a", "Name-:b",
                              "Your_Turn:+", "BEGIN Position", "PI", "+", "END Position",
                              "END Game_Summary"}),
              ElementsAre(HasSubstr("#NOTICE"), "summary g"));
}

TEST(ClientSession, a_move_behind_a_reason_shows_that_the_game_goes_on) {
  Table table;
  table.play('-');
  EXPECT_THAT(table.hear_all({"#TIME_UP", "+7776FU,T1"}),
              ElementsAre("ending #TIME_UP", "goes on behind #TIME_UP", "+7776FU 1000 theirs"));
  EXPECT_TRUE(table.session.may_send_move());
  EXPECT_FALSE(table.session.silence_deadline());
  EXPECT_THAT(table.hear("#DRAW"), ElementsAre("ending #DRAW", "ended draw [|#DRAW]"));
}

TEST(ClientSession, an_end_that_is_doubted_takes_a_move_and_is_decided_by_silence_behind_it) {
  Table table;
  table.play();
  static_cast<void>(table.hear("#TIME_UP"));
  EXPECT_FALSE(table.session.may_send_move());
  table.session.doubt_end();
  EXPECT_FALSE(table.session.silence_deadline());
  static_cast<void>(table.session.move("+7776FU", "", start + 5s));
  EXPECT_EQ(table.session.silence_deadline(), start + 5s + PlayedGame::result_patience);
  EXPECT_THAT(words(table.session.on_silence(start + 65s)),
              ElementsAre("ended no result [#TIME_UP|]"));
}

TEST(ClientSession, a_result_behind_a_doubted_end_has_its_reason) {
  Table table;
  table.play();
  static_cast<void>(table.hear("#TIME_UP"));
  table.session.doubt_end();
  EXPECT_THAT(table.hear("#LOSE"), ElementsAre("ending #LOSE", "ended lose [#TIME_UP|#LOSE]"));
}

TEST(ClientSession, the_reply_shows_that_an_unconfirmed_move_stands) {
  Table table;
  table.play();
  static_cast<void>(table.session.move("+7776FU", "", start));
  EXPECT_THAT(table.hear("-3334FU,T5"),
              ElementsAre(HasSubstr("was not confirmed"), "+7776FU 0 ours unechoed", "-3334FU 5000 theirs"));
  EXPECT_TRUE(table.session.may_send_move());
  EXPECT_THAT(table.hear("+7776FU,T3"), ElementsAre(HasSubstr("twice"))) << "the echo comes too late";
  EXPECT_TRUE(table.session.may_send_move());
}

TEST(ClientSession, our_move_with_the_opponents_sign_is_its_echo) {
  Table table;
  table.play();
  static_cast<void>(table.session.move("+7776FU", "", start));
  EXPECT_THAT(table.hear("-7776FU,T3"), ElementsAre(HasSubstr("remark"), "+7776FU 3000 ours"));
  EXPECT_EQ(table.session.turn(), Color::white);
}

TEST(ClientSession, a_move_that_is_not_answered_and_another_one_of_the_opponent_leave_us_our_turn) {
  Table table;
  table.play();
  static_cast<void>(table.session.resign(start));
  EXPECT_THAT(table.hear("-3334FU,T5"), ElementsAre("-3334FU 5000 theirs"));
  EXPECT_TRUE(table.session.may_send_move());
}

// Conformance case 56.
TEST(ClientSession, an_abnormal_end_and_a_close_have_no_result) {
  Table table;
  table.play();
  static_cast<void>(table.hear("#ABNORMAL"));
  EXPECT_THAT(words(table.session.on_closed()), ElementsAre("ended no result [#ABNORMAL|]"));
}

// Conformance case 60.
TEST(ClientSession, a_line_lost_in_mid_game_ends_it_without_a_word) {
  Table table;
  table.play();
  EXPECT_THAT(words(table.session.on_closed()), ElementsAre("ending ", "ended no result [|]"));
}

// Conformance case 57.
TEST(ClientSession, a_close_after_the_result_is_nothing_new) {
  Table table;
  table.play();
  static_cast<void>(table.hear_all({"#RESIGN", "#WIN"}));
  EXPECT_THAT(table.session.on_closed(), IsEmpty());
}

// Conformance case 59.
TEST(ClientSession, a_second_game_may_come_on_the_same_connection) {
  Table table;
  table.play('+');
  static_cast<void>(table.session.move("+7776FU", "", start));
  static_cast<void>(table.hear_all({"#TIME_UP", "#LOSE"}));
  EXPECT_THAT(table.summary('-', "second"), ElementsAre("summary second"));
  EXPECT_EQ(table.session.agree(start), "AGREE second");
  static_cast<void>(table.hear("START:second"));
  EXPECT_FALSE(table.session.may_send_move());
  EXPECT_THAT(table.hear("+2726FU,T1"), ElementsAre("+2726FU 1000 theirs"));
  EXPECT_TRUE(table.session.may_send_move());
}

// Conformance case 7.
TEST(ClientSession, a_keepalive_waits_for_thirty_seconds_of_silence_at_least) {
  Table table;
  table.play();
  table.now = start + 100s;
  static_cast<void>(table.session.move("+7776FU", "", table.now));
  EXPECT_EQ(table.session.keepalive_due(1s), start + 130s);
  table.now = start + 110s;
  static_cast<void>(table.hear(""));
  EXPECT_EQ(table.session.keepalive_due(50s), start + 160s) << "a blank line is traffic";
  EXPECT_EQ(table.session.keepalive(start + 160s), "");
  EXPECT_EQ(table.session.keepalive_due(50s), start + 210s);
}

TEST(ClientSession, before_login_there_is_no_keepalive) {
  EXPECT_EQ(ClientSession().keepalive_due(50s), std::nullopt);
}

TEST(ClientSession, lines_out_of_place_are_remarks_and_no_more) {
  Table table;
  table.log_in();
  for (const char* line : {"START:x", "+7776FU,T1", "#WIN", "LOGIN:again OK", "LOGIN:incorrect"}) {
    EXPECT_THAT(table.hear(line), ElementsAre(HasSubstr("remark"))) << line;
  }
  EXPECT_EQ(table.session.state(), State::waiting);
}

}  // namespace
}  // namespace kakehashi::csa
