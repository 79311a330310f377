#include "watch/live_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "shogi/notation/usi.hpp"

namespace kakehashi::watch {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

const base::SteadyTime start{1h};

bridge::GameView after_two_moves() {
  bridge::GameView game;
  game.black_name = "alice";
  game.white_name = "bob";
  game.position =
      *shogi::usi::parse_sfen("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  game.moves = {{"+7776FU", 1s}, {"-3334FU", 2500ms}};
  game.black_main_time = 299s;
  game.white_main_time = 3'605s;
  game.turn_started = start;
  return game;
}

WatchedGame watch(const bridge::GameView& game) {
  WatchedGame watched;
  watched.game = &game;
  return watched;
}

TEST(LiveView, before_the_game_it_says_what_is_waited_for) {
  WatchedGame watched;
  watched.count = 3;
  EXPECT_EQ(render_live_view(watched, start, {}), "game 1 of 3: waiting for both bots\n");
}

TEST(LiveView, the_whole_picture_in_ascii) {
  const auto game = after_two_moves();
  auto watched = watch(game);
  watched.black_engine = "Fairy-Stockfish";
  bridge::ViewedScore black;
  black.value = 52;
  black.depth = 18;
  black.pv = "2g2f 8c8d";
  watched.black_score = black;
  bridge::ViewedScore white;
  white.is_mate = true;
  white.value = -5;
  watched.white_score = white;

  Look look;
  look.kanji = false;
  EXPECT_EQ(render_live_view(watched, start + 4'200ms, look),
            "game 1 of 1, move 2\n"
            "\n"
            "- white  bob   1:00:05\n"
            "  in hand: -\n"
            "   9  8  7  6  5  4  3  2  1\n"
            "+---------------------------+\n"
            "|-KY-KE-GI-KI-OU-KI-GI-KE-KY|1\n"
            "| * -HI *  *  *  *  * -KA * |2\n"
            "|-FU-FU-FU-FU-FU-FU * -FU-FU|3\n"
            "| *  *  *  *  *  * -FU *  * |4\n"
            "| *  *  *  *  *  *  *  *  * |5\n"
            "| *  * +FU *  *  *  *  *  * |6\n"
            "|+FU+FU * +FU+FU+FU+FU+FU+FU|7\n"
            "| * +KA *  *  *  *  * +HI * |8\n"
            "|+KY+KE+GI+KI+OU+KI+GI+KE+KY|9\n"
            "+---------------------------+\n"
            "+ black  alice (Fairy-Stockfish)   4:54   thinking 4.2 s\n"
            "  in hand: -\n"
            "\n"
            "evaluation, + is good for black\n"
            "  black: +52, depth 18, 2g2f 8c8d\n"
            "  white: mate in 5 for white, depth 0\n"
            "\n"
            "last moves\n"
            "   1 +7776FU  1.0 s\n"
            "   2 -3334FU  2.5 s\n");
}

TEST(LiveView, pieces_stand_in_kanji_where_the_terminal_can_show_them) {
  auto game = after_two_moves();
  game.position.set_hand(shogi::Color::black, shogi::PieceKind::pawn, 2);
  game.position.set_hand(shogi::Color::black, shogi::PieceKind::bishop, 1);
  const auto text = render_live_view(watch(game), start, {});
  EXPECT_THAT(text, HasSubstr("|v香v桂v銀v金v玉v金v銀v桂v香|一\n"));
  EXPECT_THAT(text, HasSubstr("| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七\n"));
  EXPECT_THAT(text, HasSubstr("in hand: 角 歩2\n"));
}

TEST(LiveView, the_square_of_the_last_move_stands_out_in_color_only) {
  const auto game = after_two_moves();
  Look look;
  look.kanji = false;
  EXPECT_THAT(render_live_view(watch(game), start, look), Not(HasSubstr("\x1b")));
  look.color = true;
  EXPECT_THAT(render_live_view(watch(game), start, look), HasSubstr(" * \x1b[7m-FU\x1b[0m * "));
}

TEST(LiveView, a_clock_that_has_run_out_stands_at_zero) {
  const auto game = after_two_moves();
  EXPECT_THAT(render_live_view(watch(game), start + 1h, {}), HasSubstr("0:00   thinking 3600.0 s"));
}

TEST(LiveView, an_untimed_game_shows_no_clock) {
  auto game = after_two_moves();
  game.black_main_time.reset();
  EXPECT_THAT(render_live_view(watch(game), start, {}), HasSubstr("alice   thinking 0.0 s\n"));
}

TEST(LiveView, names_cannot_steer_the_terminal) {
  auto game = after_two_moves();
  game.white_name = "bob\x1b[2J";
  EXPECT_THAT(render_live_view(watch(game), start, {}), Not(HasSubstr("\x1b")));
}

TEST(LiveView, a_finished_game_shows_its_result_and_no_running_clock) {
  auto game = after_two_moves();
  game.our_color = shogi::Color::white;
  game.end = csa::GameEnd{csa::Outcome::win, "#RESIGN", "#WIN"};
  const auto text = render_live_view(watch(game), start + 9s, {});
  EXPECT_THAT(text, HasSubstr("bob won (#RESIGN)"));
  EXPECT_THAT(text, Not(HasSubstr("thinking")));
}

TEST(LiveView, each_kind_of_end_has_its_words) {
  auto game = after_two_moves();
  EXPECT_EQ(format_end(game), "still running");
  game.end = csa::GameEnd{csa::Outcome::lose, "#TIME_UP", "#LOSE"};
  EXPECT_EQ(format_end(game), "bob won (#TIME_UP)");
  game.end = csa::GameEnd{csa::Outcome::draw, "#SENNICHITE", "#DRAW"};
  EXPECT_EQ(format_end(game), "draw (#SENNICHITE)");
  game.end = csa::GameEnd{csa::Outcome::none, "", "#CENSORED"};
  EXPECT_EQ(format_end(game), "no result (#CENSORED)");
  game.end = csa::GameEnd{csa::Outcome::none, "", ""};
  EXPECT_EQ(format_end(game), "no result (the server gave no reason)");
}

TEST(LiveView, a_move_line_carries_the_score_when_there_is_one) {
  const auto game = after_two_moves();
  bridge::ViewedScore score;
  score.value = -123;
  score.depth = 9;
  EXPECT_EQ(format_move_line(game, 1, score), "   2 -3334FU  2.5 s  -123 depth 9");
  EXPECT_EQ(format_move_line(game, 0, std::nullopt), "   1 +7776FU  1.0 s");
}

}  // namespace
}  // namespace kakehashi::watch
