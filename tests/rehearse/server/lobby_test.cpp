// The lobby without a server: who is paired with whom. What clients see of it stands in server_lobby_test.cpp.
#include "rehearse/server/lobby.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace kakehashi::rehearse::server {
namespace {

using base::Seconds;

/// Logged in as the n-th; with a trip, so that floodgate pairs it.
Player player(std::uint64_t n) {
  return {ConnectionId{n}, "p" + std::to_string(n), LoginForm::csa, 7, n};
}

GameWish wish(std::string_view name, ColorWish color = std::nullopt) { return {*parse_game_name(name), color}; }

struct Room {
  Lobby::Answer wait(std::uint64_t n, const GameWish& wished) { return lobby.wait(player(n), wished, now); }

  PairingSettings settings;
  Lobby lobby{settings, 1};
  base::Now now{};
};

TEST(LobbyAlone, the_rival_is_the_one_who_logged_in_first_and_both_wait_no_longer) {
  Room room;
  EXPECT_TRUE(std::holds_alternative<Lobby::Waits>(room.wait(2, wish("t-60-10", shogi::Color::black))));
  EXPECT_TRUE(std::holds_alternative<Lobby::Waits>(room.wait(1, wish("t-60-10", shogi::Color::black))));
  const auto answer = room.wait(3, wish("t-60-10"));
  const auto* pairing = std::get_if<Pairing>(&answer);
  ASSERT_NE(pairing, nullptr);
  EXPECT_EQ(pairing->black.name, "p1");
  EXPECT_EQ(pairing->white.name, "p3");
  EXPECT_EQ(pairing->setup.clock.byoyomi_s, 10);
  EXPECT_EQ(room.lobby.wish_of(player(1)), nullptr);
  EXPECT_EQ(room.lobby.wish_of(player(3)), nullptr);
  EXPECT_NE(room.lobby.wish_of(player(2)), nullptr);
}

TEST(LobbyAlone, a_wish_that_cannot_be_leaves_the_earlier_one) {
  Room room;
  (void)room.wait(1, wish("t-60-10"));
  EXPECT_TRUE(std::holds_alternative<Lobby::Refused>(room.wait(1, wish("hc2p_t-60-10"))));
  ASSERT_NE(room.lobby.wish_of(player(1)), nullptr);
  EXPECT_EQ(room.lobby.wish_of(player(1))->game.text, "t-60-10");
}

TEST(LobbyAlone, a_tick_pairs_all_but_an_odd_one_who_waits_for_the_next) {
  PairingSettings settings;
  settings.floodgate_interval = Seconds{60};
  Lobby lobby(settings, 1);
  base::Now now{};
  EXPECT_FALSE(lobby.next_tick());
  lobby.begin_ticks(now);
  ASSERT_EQ(lobby.next_tick(), now.steady + Seconds{60});
  for (std::uint64_t n = 1; n <= 5; ++n) {
    (void)lobby.wait(player(n), wish("floodgate-300-10F"), now);
  }
  EXPECT_TRUE(lobby.pair_at_tick(now).empty());
  now.steady += Seconds{60};
  now.wall += Seconds{60};
  const auto pairings = lobby.pair_at_tick(now);
  ASSERT_EQ(pairings.size(), 2U);
  EXPECT_NE(pairings[0].setup.id, pairings[1].setup.id);
  int left_over = 0;
  for (std::uint64_t n = 1; n <= 5; ++n) {
    left_over += lobby.wish_of(player(n)) != nullptr ? 1 : 0;
  }
  EXPECT_EQ(left_over, 1);
  EXPECT_EQ(lobby.next_tick(), now.steady + Seconds{60});
}

}  // namespace
}  // namespace kakehashi::rehearse::server
