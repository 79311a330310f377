// `kakehashi top`: what stands on the screen, and that it fits there.
#include "watch/live_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <string>

#include "cli/terminal.hpp"
#include "tests/places.hpp"
#include "tests/system/pty_program.hpp"
#include "tests/system/scratch.hpp"

namespace kakehashi::cli {
namespace {

using test::PtyProgram;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;

const base::SteadyTime now{1h};

std::string playing(const std::string& name) {
  return R"({"name": ")" + name + R"(", "phase": "playing", "games_finished": 0, "game": {
    "black": ")" + name + R"(", "white": "carol", "our_color": "black",
    "sfen": "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3",
    "moves": [{"move": "+7776FU", "consumed_ms": 1000}, {"move": "-3334FU", "consumed_ms": 2500}],
    "score": {"mate": false, "value": 52, "depth": 18, "pv": "2g2f"}}})";
}

std::string top(const std::string& bots, std::size_t rows, words::Language language = words::Language::english) {
  watch::Look look;
  look.rows = rows;
  look.language = language;
  return watch::render_top(boost::json::parse("[" + bots + "]").as_array(), now, look);
}

std::ptrdiff_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(Top, a_bot_without_a_game_is_a_line) {
  EXPECT_EQ(top(R"({"name": "alice", "phase": "waiting for a game"})", 24), "alice: waiting for a game\n");
}

TEST(Top, a_usual_terminal_has_room_for_both_sides_the_board_and_the_evaluations) {
  const auto text = top(playing("alice"), 24);
  EXPECT_LE(lines_of(text), 24);
  EXPECT_THAT(text, StartsWith("alice: playing\ngame 1, move 2\n"));
  EXPECT_THAT(text, HasSubstr("△ white  carol"));
  EXPECT_THAT(text, HasSubstr("▲ black  alice"));
  EXPECT_THAT(text, HasSubstr("  black: +52, depth 18, 2g2f\n"));
  EXPECT_THAT(text, Not(HasSubstr("last moves")));
}

TEST(Top, what_matters_least_is_left_out_first_on_a_screen_of_any_height) {
  for (std::size_t rows = 1; rows <= 40; ++rows) {
    EXPECT_LE(lines_of(top(playing("alice"), rows)), static_cast<std::ptrdiff_t>(rows)) << rows;
  }
  EXPECT_THAT(top(playing("alice"), 25), HasSubstr("\n\n   2 -3334FU  2.5 s\n"));
  EXPECT_THAT(top(playing("alice"), 40), HasSubstr("last moves\n   1 +7776FU  1.0 s\n   2 -3334FU  2.5 s\n"));
  EXPECT_EQ(top(playing("alice"), 10), "alice: playing, alice - carol, move 2, +52\n");
}

TEST(Top, words_of_ours_are_in_the_language_of_the_look_and_those_of_a_later_program_as_they_came) {
  const auto in_japanese = [](const std::string& bot, std::size_t rows = 40) {
    return top(bot, rows, words::Language::japanese);
  };
  EXPECT_EQ(in_japanese(playing("alice"), 10), "alice: 対局中、alice - carol、2 手目、+52\n");
  EXPECT_THAT(in_japanese(playing("alice")), HasSubstr("最近の手\n   1 +7776FU  1.0 秒\n"));
  EXPECT_EQ(in_japanese(R"({"name": "alice", "phase": "waiting for its window", "window": {"opens": "Mon 20:00", "opens_in_ms": 60500}})"),
            "alice: 時間帯の外で待機中(Mon 20:00 まで、あと 1 分)\n");
  EXPECT_EQ(in_japanese(R"({"name": "alice", "phase": "dreaming"})"), "alice: dreaming\n");
}

TEST(Top, bots_that_have_no_room_for_a_board_have_a_line_each) {
  const auto text = top(playing("alice") + "," + playing("bob") + "," + playing("dave"), 30);
  EXPECT_LE(lines_of(text), 30);
  EXPECT_THAT(text, HasSubstr("▲ black  alice"));
  EXPECT_THAT(text, EndsWith("\n\nbob: playing, bob - carol, move 2, +52\n"
                             "dave: playing, dave - carol, move 2, +52\n"));
}

/// Two engines of a consulting team, and one that has left the game.
std::string team() {
  std::string text = playing("alice");
  text.insert(text.find("\"moves\""), R"("members": [
    {"name": "engine", "ready": true, "plays": true, "out": false, "searches": 0, "hits": 0,
     "said": {"move": "+7776FU", "score": 52}},
    {"name": "gpu2", "ready": true, "plays": false, "out": false, "searches": 9, "hits": 4, "said": {"move": "%TORYO"}},
    {"name": "third", "ready": true, "plays": false, "out": true, "searches": 2, "hits": 1},
    {"name": "late", "ready": false, "plays": false, "out": false, "searches": 0, "hits": 0}], )");
  return text;
}

TEST(Top, each_engine_of_a_team_has_a_line_with_what_it_said_and_its_hits) {
  EXPECT_THAT(top(team(), 40), StartsWith("alice: playing\n> engine: +7776FU 52\n  gpu2: %TORYO, hits 4 of 9\n"
                                          "  third: out of this game, hits 1 of 2\n  late: not ready\ngame 1, move 2\n"));
}

TEST(Top, a_team_that_has_no_room_for_a_line_each_has_one_as_long_as_the_terminal_is_wide) {
  EXPECT_THAT(top(team(), 24), StartsWith("alice: playing\nteam: 2 of 4 engines ready; > engine: +7776FU 52; gpu2: %TORYO, "
                                          "hits 4 of 9; third: out of this game, hits 1 of 2; late: not ready\ngame 1"));
  for (std::size_t rows = 1; rows <= 40; ++rows) {
    EXPECT_LE(lines_of(top(team(), rows)), static_cast<std::ptrdiff_t>(rows)) << rows;
  }
}

TEST(Top, a_brief_line_cannot_steer_the_terminal) {
  EXPECT_THAT(top(playing(R"(bob\u001b[2J)"), 5), Not(HasSubstr("- \x1b")));
}

TEST(Screen, a_picture_that_is_too_high_is_cut_and_scrolls_nothing) {
  EXPECT_EQ(in_place("one\ntwo\nthree\n", 2), "\x1b[?7l\x1b[Hone\x1b[K\ntwo\x1b[K\x1b[J\x1b[?7h");
  EXPECT_EQ(in_place("one\n", 2), "\x1b[?7l\x1b[Hone\x1b[K\x1b[J\x1b[?7h");
  EXPECT_EQ(in_place("", 2), "\x1b[?7l\x1b[H\x1b[J\x1b[?7h");
}

TEST(Top, on_a_terminal_q_and_ctrl_c_end_it) {
  test::Scratch scratch;
  test::write_text(scratch.path("alice.yaml"),
                   "name: alice\nserver: {host: 127.0.0.1, port: 1}\naccount: {name: " + test::own_name("alice") + "}\n" +
                       "game: {name: test-60-1F}\nengine: {command: [" + test::fake_engine_binary() + "]}\n");
  PtyProgram bot({"run", "alice.yaml", "--status", "127.0.0.1:0"}, scratch.path());
  const std::string opened = "status_opened: the state of the bots is shown on port ";
  ASSERT_TRUE(bot.sees(opened) && bot.sees("\n"));
  const auto at = bot.screen().find(opened) + opened.size();
  const auto port = bot.screen().substr(at, bot.screen().find_first_not_of("0123456789", at) - at);

  PtyProgram top({"top", "--status", "127.0.0.1:" + port}, scratch.path());
  ASSERT_TRUE(top.sees("alice: "));
  top.type("x");
  ASSERT_TRUE(top.sees("alice: "));
  top.type("q");
  EXPECT_EQ(top.finish(), 0);
  EXPECT_THAT(top.screen(), Not(HasSubstr("x\x1b"))) << "what is pressed is not shown";

  PtyProgram interrupted({"top", "--status", "127.0.0.1:" + port}, scratch.path());
  ASSERT_TRUE(interrupted.sees("alice: "));
  interrupted.type("\x03");
  EXPECT_EQ(interrupted.finish(), 0) << "not by a signal, which would leave the terminal without echo";
}

}  // namespace
}  // namespace kakehashi::cli
