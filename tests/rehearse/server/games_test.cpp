// The games under way without a server: sides, deadlines, and who is released when. What clients see of them stands in
// server_game_test.cpp.
#include "rehearse/server/games.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace kakehashi::rehearse::server {
namespace {

using base::Seconds;
using testing::IsEmpty;

constexpr ConnectionId black{1};
constexpr ConnectionId white{2};

Pairing pairing() {
  Pairing made;
  made.black = {black, "b", LoginForm::csa, std::nullopt, 1};
  made.white = {white, "w", LoginForm::csa, std::nullopt, 2};
  made.setup.id = "the game";
  made.setup.names = {"b", "w"};
  made.setup.clock.total_s = 60;
  made.setup.start = shogi::Position::startpos();
  return made;
}

/// A game that both have been offered.
struct Table {
  explicit Table(bool late_time_up = false) : games(late_time_up) { (void)games.begin(pairing(), now); }

  void start() {
    (void)games.agree(black, now);
    (void)games.agree(white, now);
  }
  void pass(Seconds time) {
    now.steady += time;
    now.wall += time;
  }

  base::Now now{};
  Games games;
};

TEST(Games, a_side_says_what_its_player_is_at) {
  Table table;
  EXPECT_EQ(table.games.side_of(black)->status, Status::agree_waiting);
  (void)table.games.agree(black, table.now);
  EXPECT_EQ(table.games.side_of(black)->status, Status::start_waiting);
  EXPECT_EQ(table.games.side_of(white)->status, Status::agree_waiting);
  (void)table.games.agree(white, table.now);
  EXPECT_EQ(table.games.side_of(white)->status, Status::game);
  EXPECT_TRUE(table.games.side_of(black)->is_turn);
  EXPECT_FALSE(table.games.side_of(white)->is_turn);
  EXPECT_FALSE(table.games.side_of(ConnectionId{3}));
}

TEST(Games, both_are_released_and_who_has_ended_it_is_known) {
  Table table;
  table.start();
  const auto output = table.games.play(black, "%TORYO", table.now);
  ASSERT_EQ(output.released.size(), 2U);
  EXPECT_EQ(output.released[0].player, black);
  EXPECT_TRUE(output.released[0].has_ended_it);
  EXPECT_FALSE(output.released[1].has_ended_it);
  EXPECT_FALSE(table.games.side_of(black));
  EXPECT_FALSE(table.games.next_deadline());
}

TEST(Games, who_leaves_on_the_opponents_turn_has_no_seat_and_the_game_goes_on) {
  Table table;
  table.start();
  EXPECT_THAT(table.games.leave(white).released, IsEmpty());
  EXPECT_FALSE(table.games.side_of(white));
  const auto output = table.games.play(black, "+7776FU", table.now);
  ASSERT_EQ(output.released.size(), 1U);
  EXPECT_EQ(output.released[0].player, black);
  for (const auto& line : output.lines) {
    EXPECT_EQ(line.to, black);
  }
}

TEST(Games, an_offer_expires_for_the_one_who_has_not_agreed) {
  Table table;
  (void)table.games.agree(white, table.now);
  EXPECT_FALSE(table.games.expire_one(table.now));
  table.pass(Seconds{120});
  const auto output = table.games.expire_one(table.now);
  ASSERT_TRUE(output);
  ASSERT_EQ(output->released.size(), 2U);
  EXPECT_TRUE(output->released[0].has_ended_it);
  EXPECT_FALSE(output->released[1].has_ended_it);
  EXPECT_FALSE(table.games.expire_one(table.now));
}

TEST(Games, a_mover_loses_on_time_by_itself_or_only_when_its_clock_is_looked_at) {
  Table table;
  table.start();
  EXPECT_EQ(table.games.next_deadline(), table.now.steady + Seconds{60});
  table.pass(Seconds{60});
  EXPECT_TRUE(table.games.expire_one(table.now));

  Table late(true);
  late.start();
  EXPECT_FALSE(late.games.next_deadline());
  late.pass(Seconds{60});
  EXPECT_FALSE(late.games.expire_one(late.now));
  EXPECT_EQ(late.games.look_at_clock(black, late.now).released.size(), 2U);
}

}  // namespace
}  // namespace kakehashi::rehearse::server
