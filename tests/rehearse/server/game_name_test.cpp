#include "rehearse/server/game_name.hpp"

#include <gtest/gtest.h>

namespace kakehashi::rehearse::server {
namespace {

TEST(GameName, a_number_without_f_is_byoyomi) {
  const auto name = parse_game_name("test-60-10");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->clock, (ClockRules{60, 10, 0, 0, false}));
  EXPECT_FALSE(name->is_floodgate || name->handicap);
}

TEST(GameName, an_f_makes_it_an_increment) {
  EXPECT_EQ(parse_game_name("floodgate-300-10F")->clock, (ClockRules{300, 0, 10, 0, false}));
}

TEST(GameName, a_leading_zero_makes_it_a_stop_watch) {
  EXPECT_EQ(parse_game_name("test-600-060")->clock, (ClockRules{600, 60, 0, 0, true}));
  EXPECT_FALSE(parse_game_name("test-600-0")->clock.is_stop_watch);
  EXPECT_FALSE(parse_game_name("test-600-00")->clock.is_stop_watch);
  EXPECT_FALSE(parse_game_name("test-600-010F")->clock.is_stop_watch);
}

TEST(GameName, only_the_exact_label_is_floodgate) {
  EXPECT_TRUE(parse_game_name("floodgate-300-10F")->is_floodgate);
  EXPECT_FALSE(parse_game_name("floodgate2-300-10F")->is_floodgate);
  EXPECT_FALSE(parse_game_name("my-floodgate-300-10F")->is_floodgate);
}

TEST(GameName, prefixes_name_handicaps_and_buoys) {
  EXPECT_EQ(parse_game_name("hc2p_test-60-10")->handicap, "hc2p");
  EXPECT_EQ(parse_game_name("hcrooklance_x-60-10")->handicap, "hcrooklance");
  EXPECT_FALSE(parse_game_name("hc2ptest-60-10")->handicap);
}

TEST(GameName, labels_may_hold_dashes_and_digits) {
  const auto name = parse_game_name("dr2-11-bottom_43_a-60-2F");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->clock.total_s, 60);
  EXPECT_EQ(name->text, "dr2-11-bottom_43_a-60-2F");
}

TEST(GameName, what_has_no_clock_is_no_name) {
  for (const char* text : {"", "x", "test-10", "test-10-1f", "test-10-1-X", "-60-10", "test--10",
                           "test-60-", "test-60-10FF", "te st-60-10", "a,b-60-10",
                           "test-1234567890-1", "\xe6\x97\xa5-60-10"}) {
    EXPECT_FALSE(parse_game_name(text)) << text;
  }
  EXPECT_FALSE(parse_game_name(std::string(33, 'x') + "-60-10"));
  EXPECT_TRUE(parse_game_name(std::string(32, 'x') + "-60-10"));
}

TEST(GameName, a_color_suffix_is_cut_off) {
  std::string_view text = "test-60-10-b";
  EXPECT_EQ(take_color_suffix(text), shogi::Color::black);
  EXPECT_EQ(text, "test-60-10");
  text = "test-60-10-W";
  EXPECT_EQ(take_color_suffix(text), shogi::Color::white);
  text = "test-60-10";
  EXPECT_FALSE(take_color_suffix(text));
  EXPECT_EQ(text, "test-60-10");
}

}  // namespace
}  // namespace kakehashi::rehearse::server
