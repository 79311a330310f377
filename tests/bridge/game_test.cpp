#include "bridge/game/game.hpp"

#include <gtest/gtest.h>

#include <array>

#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::bridge {
namespace {

using base::Millis;
using shogi::Color;

csa::GameSummary summary(std::vector<std::pair<const char*, int>> listed = {}) {
  csa::GameSummary result;
  result.start = shogi::Position::startpos();
  csa::TimeControl clock;
  clock.total = Millis{900'000};
  clock.increment = Millis{5'000};
  result.times = {clock, clock};
  shogi::Position position = result.start;
  for (const auto& [text, seconds] : listed) {
    const shogi::Move move = shogi::csa::parse_move(position, text).value();
    result.moves.push_back({move, position.side_to_move(), text, Millis{seconds * 1000}});
    position.play(move);
  }
  return result;
}

csa::MovePlayed played(const char* text, int seconds = 0) {
  return {text[0] == '+' ? Color::black : Color::white, text, Millis{seconds * 1000}};
}

TEST(Game, begins_behind_the_listed_moves_and_charges_their_times) {
  const Game game(summary({{"+7776FU", 30}, {"-3334FU", 20}}));

  EXPECT_EQ(game.command().text(), "position startpos moves 7g7f 3c3d");
  EXPECT_EQ(game.ply(), 2);
  EXPECT_TRUE(game.is_our_turn());
  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{875'000});
  EXPECT_EQ(game.game_clock().main_time(Color::white), Millis{885'000});
}

TEST(Game, listed_moves_gain_no_more_than_what_they_lost) {
  EXPECT_EQ(Game(summary({{"+7776FU", 1}})).game_clock().main_time(Color::black), Millis{900'000});
  EXPECT_EQ(Game(summary({{"+7776FU", 1}, {"-3334FU", 5}, {"+2726FU", 1}, {"-8384FU", 7}})).game_clock().main_time(
                Color::white),
            Millis{898'000});

  csa::GameSummary without_a_time = summary({{"+7776FU", 0}});
  without_a_time.moves.front().consumed.reset();
  EXPECT_EQ(Game(without_a_time).game_clock().main_time(Color::black), Millis{900'000});

  // The same behind the recount, for those that were listed; what is played later gains.
  csa::GameSummary in_units = summary({{"+7776FU", 1'000}});
  in_units.times.black.unit = in_units.times.white.unit = Millis{1};
  in_units.our_color = Color::white;
  Game game(in_units);
  csa::MovePlayed ours = played("-3334FU", 4'000);
  ours.is_ours = true;
  EXPECT_FALSE(game.play(ours, Millis{4'050}));
  EXPECT_TRUE(game.counts_units());
  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{900'000});
  EXPECT_EQ(game.game_clock().main_time(Color::white), Millis{901'000});
}

TEST(Game, follows_the_servers_moves) {
  Game game(summary());

  EXPECT_FALSE(game.play(played("+7776FU", 12)).has_value());
  EXPECT_FALSE(game.is_our_turn());
  EXPECT_FALSE(game.play(played("-3334FU", 3)).has_value());

  EXPECT_EQ(game.command().text(), "position startpos moves 7g7f 3c3d");
  EXPECT_EQ(game.moves().back().text, "-3334FU");
  EXPECT_EQ(game.moves().back().consumed, Millis{3000});
  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{893'000});
}

TEST(Game, a_move_that_the_rules_forbid_stands_and_the_engine_is_told_the_position) {
  Game game(summary());

  const auto deviation = game.play(played("+7775FU", 3));

  ASSERT_TRUE(deviation);
  EXPECT_TRUE(deviation->is_on_board);
  EXPECT_EQ(game.ply(), 1);
  EXPECT_FALSE(game.is_our_turn());
  EXPECT_TRUE(game.is_for_engines());
  EXPECT_EQ(game.command().text(),
            "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/2P6/9/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{902'000});
  EXPECT_FALSE(game.play(played("-3334FU")));
  EXPECT_EQ(game.ply(), 2);
  EXPECT_TRUE(game.command().text().ends_with(" w - 1 moves 3c3d")) << game.command().text();
}

TEST(Game, two_pawns_on_a_file_stand_where_the_server_says_so) {
  Game game(summary({{"+7776FU", 0}, {"-3334FU", 0}, {"+8822UM", 0}, {"-3122GI", 0}, {"+7675FU", 0},
                     {"-8384FU", 0}, {"+7574FU", 0}, {"-7374FU", 0}}));
  ASSERT_FALSE(game.play(played("+9796FU")));

  const auto deviation = game.play(played("-0042FU"));

  ASSERT_TRUE(deviation);
  EXPECT_EQ(deviation->what, "two unpromoted pawns on one file (nifu)");
  EXPECT_EQ(game.position().at(shogi::Square(4, 2)),
            (shogi::Piece{Color::white, shogi::PieceKind::pawn}));
  EXPECT_EQ(game.position().hand(Color::white, shogi::PieceKind::pawn), 0);
}

TEST(Game, what_does_not_fit_the_board_changes_it_as_the_line_says) {
  struct Row {
    const char* line;
    const char* position;
  };
  for (const Row& row : {
           // No such piece is in hand, or another one on the source.
           Row{"+0055FU", "lnsgkgsnl/1r5b1/ppppppppp/9/4P4/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
           Row{"+7776GI", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2S6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1"},
           // Onto an own piece, or taking one from nowhere.
           Row{"+7988GI", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1S5R1/LN1GKGSNL w - 1"},
           Row{"+5533TO", "lnsgkgsnl/1r5b1/pppppp+Ppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w P 1"},
           // It is the other side's turn.
           Row{"-3334FU", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"},
           // No move at all: only the turn passes.
           Row{"+9999XX", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
           Row{"+9999OU", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
           Row{"+", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"},
       }) {
    Game game(summary());

    const auto deviation = game.play(played(row.line, 4));

    ASSERT_TRUE(deviation) << row.line;
    EXPECT_FALSE(deviation->is_on_board) << row.line;
    EXPECT_EQ(game.ply(), 0) << row.line;
    EXPECT_EQ(game.command().text(), std::string("position sfen ") + row.position) << row.line;
  }
}

TEST(Game, a_move_with_the_other_sides_sign_is_the_one_that_the_board_has) {
  Game game(summary());

  const auto deviation = game.play(played("-7776FU"));

  ASSERT_TRUE(deviation);
  EXPECT_TRUE(deviation->is_on_board);
  EXPECT_EQ(game.moves().back().text, "+7776FU");
  EXPECT_EQ(game.command().text(), "position startpos moves 7g7f");
}

TEST(Game, a_position_without_its_kings_is_not_for_engines) {
  for (const auto& [line, reply] : {std::pair("+7751FU", "-3334FU"), std::pair("+7752FU", "-9394FU"),
                                   std::pair("+7755OU", "-3334FU")}) {
    Game game(summary());

    game.play(played(line));
    game.play(played(reply));

    EXPECT_FALSE(game.is_for_engines()) << line;
  }
}

TEST(Game, any_line_leads_to_a_position) {
  constexpr std::array codes{"FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "UM", "RY", "XX"};
  std::uint64_t seed = 1;
  const auto draw = [&](std::uint64_t below) {
    seed = seed * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return (seed >> 33U) % below;
  };
  Game game(summary());
  for (int i = 0; i < 20'000; ++i) {
    std::string line = draw(2) == 0 ? "+" : "-";
    for (int digit = 0; digit < 4; ++digit) {
      line += static_cast<char>('0' + draw(10));
    }
    line += codes[draw(codes.size())];
    game.play(played(line.c_str(), 1));

    const shogi::Position& position = game.position();
    for (const shogi::Move& move : shogi::legal_moves(position)) {
      shogi::Position after = position;
      after.play(move);
    }
    static_cast<void>(game.is_for_engines());
  }
}

TEST(Game, finds_out_from_our_own_move_that_times_are_counted_in_units) {
  csa::GameSummary given = summary();
  given.our_color = Color::white;
  given.times.black.unit = given.times.white.unit = Millis{1};
  Game game(given);
  csa::MovePlayed ours = played("-3334FU", 7'000);
  ours.is_ours = true;

  EXPECT_FALSE(game.play(played("+7776FU", 4'000), Millis{4'100}));
  EXPECT_FALSE(game.counts_units());
  EXPECT_FALSE(game.play(ours, Millis{7'050}));

  EXPECT_TRUE(game.counts_units());
  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{901'000});
  EXPECT_EQ(game.game_clock().main_time(Color::white), Millis{898'000});
  EXPECT_EQ(game.moves().front().consumed, Millis{4'000});
}

TEST(Game, keeps_to_seconds_where_they_fit_whatever_the_unit) {
  for (const Millis unit : {Millis{1}, Millis{200}, Millis{10'000}, Millis{60'000}}) {
    for (const int seconds : {0, 1, 2, 12, 90}) {
      for (const int lag_ms : {0, 300, 990, 1'900}) {
        csa::GameSummary given = summary();
        given.times.black.unit = given.times.white.unit = unit;
        given.times.black.least_time_per_move = Millis{1'000};
        Game game(given);
        csa::MovePlayed ours = played("+7776FU", seconds);
        ours.is_ours = true;
        EXPECT_FALSE(game.play(ours, Millis{seconds * 1'000 + lag_ms}));
        EXPECT_FALSE(game.counts_units()) << unit.count() << " " << seconds << " " << lag_ms;
      }
    }
  }
}

TEST(Game, minutes_that_are_counted_in_minutes_are_charged_as_such) {
  csa::GameSummary given = summary();
  given.times.black.unit = given.times.white.unit = Millis{60'000};
  Game game(given);
  csa::MovePlayed ours = played("+7776FU", 2);
  ours.is_ours = true;

  EXPECT_FALSE(game.play(ours, Millis{130'000}));

  EXPECT_EQ(game.game_clock().main_time(Color::black), Millis{785'000});
}

TEST(Game, counts_repetitions_as_the_server_does) {
  Game game(summary());
  for (int round = 0; round < 3; ++round) {
    for (const char* text : {"+2838HI", "-8272HI", "+3828HI", "-7282HI"}) {
      ASSERT_FALSE(game.play(played(text)).has_value());
    }
  }
  EXPECT_EQ(game.occurrences(), 3);

  ASSERT_FALSE(game.play(played("+2838HI")).has_value());

  EXPECT_EQ(game.occurrences(), 4);
}

}  // namespace
}  // namespace kakehashi::bridge
