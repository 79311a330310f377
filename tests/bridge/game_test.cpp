#include "bridge/game.hpp"

#include <gtest/gtest.h>

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
  return {text[0] == '+' ? Color::black : Color::white, text, Millis{seconds * 1000}, false, false};
}

TEST(Game, begins_behind_the_listed_moves_and_charges_their_times) {
  const Game game(summary({{"+7776FU", 30}, {"-3334FU", 20}}));

  EXPECT_EQ(game.command().text(), "position startpos moves 7g7f 3c3d");
  EXPECT_EQ(game.ply(), 2);
  EXPECT_TRUE(game.is_our_turn());
  EXPECT_EQ(game.ledger().main_time(Color::black), Millis{875'000});
  EXPECT_EQ(game.ledger().main_time(Color::white), Millis{885'000});
}

TEST(Game, listed_moves_gain_no_more_than_what_they_lost) {
  EXPECT_EQ(Game(summary({{"+7776FU", 1}})).ledger().main_time(Color::black), Millis{900'000});
  EXPECT_EQ(Game(summary({{"+7776FU", 1}, {"-3334FU", 5}, {"+2726FU", 1}, {"-8384FU", 7}})).ledger().main_time(
                Color::white),
            Millis{898'000});

  csa::GameSummary without_a_time = summary({{"+7776FU", 0}});
  without_a_time.moves.front().consumed.reset();
  EXPECT_EQ(Game(without_a_time).ledger().main_time(Color::black), Millis{900'000});

  // The same behind the recount, for those that were listed; what is played later gains.
  csa::GameSummary in_units = summary({{"+7776FU", 1'000}});
  in_units.times.black.unit = in_units.times.white.unit = Millis{1};
  in_units.our_color = Color::white;
  Game game(in_units);
  csa::MovePlayed ours = played("-3334FU", 4'000);
  ours.is_ours = true;
  EXPECT_FALSE(game.play(ours, Millis{4'050}));
  EXPECT_TRUE(game.counts_units());
  EXPECT_EQ(game.ledger().main_time(Color::black), Millis{900'000});
  EXPECT_EQ(game.ledger().main_time(Color::white), Millis{901'000});
}

TEST(Game, follows_the_servers_moves) {
  Game game(summary());

  EXPECT_FALSE(game.play(played("+7776FU", 12)).has_value());
  EXPECT_FALSE(game.is_our_turn());
  EXPECT_FALSE(game.play(played("-3334FU", 3)).has_value());

  EXPECT_EQ(game.command().text(), "position startpos moves 7g7f 3c3d");
  EXPECT_EQ(game.moves().back().text, "-3334FU");
  EXPECT_EQ(game.moves().back().consumed, Millis{3000});
  EXPECT_EQ(game.ledger().main_time(Color::black), Millis{893'000});
}

TEST(Game, a_move_that_cannot_be_played_ends_the_following_and_changes_nothing) {
  for (const char* text : {"+9999XX", "+7775FU", "-3334FU", "+0055FU", "+", "+7776FUU"}) {
    Game game(summary());

    EXPECT_TRUE(game.play(played(text)).has_value()) << text;

    EXPECT_FALSE(game.is_followed()) << text;
    EXPECT_EQ(game.ply(), 0) << text;
    EXPECT_EQ(game.command().text(), "position startpos") << text;
  }
}

TEST(Game, what_follows_an_unplayable_move_is_not_played_either) {
  Game game(summary());
  static_cast<void>(game.play(played("+7775FU")));

  EXPECT_TRUE(game.play(played("+7776FU")).has_value());
  EXPECT_EQ(game.ply(), 0);
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
  EXPECT_EQ(game.ledger().main_time(Color::black), Millis{901'000});
  EXPECT_EQ(game.ledger().main_time(Color::white), Millis{898'000});
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

  EXPECT_EQ(game.ledger().main_time(Color::black), Millis{785'000});
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
