// What the addresses below /api/v1/games ask for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "watch/http_answer.hpp"

namespace kakehashi::watch {
namespace {

TEST(GamesRequest, lists_counts_and_single_games_are_told_apart) {
  const auto list = parse_games_request("/api/v1/games?bot=a&limit=3", 0);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->filter.limit, 3);
  EXPECT_EQ(list->filter.bot, "a");
  const auto count = parse_games_request("/api/v1/stats", 0);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->what, GamesRequest::What::count);
  const auto one = parse_games_request("/api/v1/games/12?bot=b", 0);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->id, 12);
  EXPECT_EQ(one->filter.bot, "b");
}

TEST(GamesRequest, a_single_game_is_asked_for_in_a_format) {
  const auto one = parse_games_request("/api/v1/games/12?bot=b&format=ki2u&color=", 0);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->format, shogi::record::Format::ki2u);
  EXPECT_EQ(one->filter.bot, "b");
  EXPECT_EQ(parse_games_request("/api/v1/games/12?format=", 0)->format, std::nullopt);
  EXPECT_FALSE(parse_games_request("/api/v1/games/12?format=pdf", 0));
  EXPECT_FALSE(parse_games_request("/api/v1/games?format=csa", 0));
}

TEST(GamesRequest, what_is_not_understood_is_said) {
  for (const char* target : {"/api/v1/games/", "/api/v1/games/x", "/api/v1/games/-1", "/api/v1/games/1/2",
                             "/api/v1/games?limit=0", "/api/v1/stats?color=red"}) {
    EXPECT_FALSE(parse_games_request(target, 0)) << target;
  }
}

TEST(GamesRequest, other_addresses_are_not_its_own) {
  EXPECT_TRUE(asks_for_games("/api/v1/games?x"));
  EXPECT_TRUE(asks_for_games("/api/v1/games/1"));
  EXPECT_FALSE(asks_for_games("/api/v1/gamesx"));
  EXPECT_FALSE(asks_for_games("/api/v1/status?/api/v1/games"));
}

}  // namespace
}  // namespace kakehashi::watch
