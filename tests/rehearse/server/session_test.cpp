#include "rehearse/server/session.hpp"

#include <gtest/gtest.h>

#include "base/checksum.hpp"

namespace kakehashi::rehearse::server {
namespace {

Login good(std::string_view line) {
  const auto parse = parse_login(line);
  EXPECT_TRUE(parse.login) << line;
  return parse.login.value_or(Login());
}

TEST(Login, a_password_that_is_a_game_name_holds_no_trip) {
  const auto login = good("LOGIN bot test-60-10F");
  EXPECT_EQ(login.name, "bot");
  EXPECT_EQ(login.form, LoginForm::csa);
  EXPECT_FALSE(login.trip);
  EXPECT_EQ(login.wish.game.text, "test-60-10F");
  EXPECT_FALSE(login.wish.color);
}

TEST(Login, the_first_comma_parts_game_name_and_trip) {
  const auto login = good("LOGIN bot test-60-10-W,one,two");
  EXPECT_EQ(login.trip, base::fnv1a("one,two"));
  EXPECT_EQ(login.wish.game.text, "test-60-10");
  EXPECT_EQ(login.wish.color, shogi::Color::white);
}

TEST(Login, a_password_without_a_game_name_is_a_trip_for_the_default_game) {
  const auto login = good("LOGIN bot nonsense_game_name");
  EXPECT_EQ(login.trip, base::fnv1a("nonsense_game_name"));
  EXPECT_EQ(login.wish.game.text, default_game_name);
}

TEST(Login, an_unreadable_game_name_silently_becomes_the_default) {
  const auto login = good("LOGIN bot test-10-1-X,pw");
  EXPECT_EQ(login.wish.game.text, default_game_name);
  EXPECT_FALSE(login.wish.color);
  EXPECT_EQ(login.trip, base::fnv1a("pw"));
}

TEST(Login, in_the_x1_form_the_whole_password_is_the_trip) {
  const auto login = good("LOGIN bot test-60-10,pw x1");
  EXPECT_EQ(login.form, LoginForm::x1);
  EXPECT_EQ(login.trip, base::fnv1a("test-60-10,pw"));
}

TEST(Login, everything_else_is_refused) {
  const std::string long_name(33, 'n');
  for (const std::string line : {"", "HELLO", "LOGIN", "LOGIN onlyname", "LOGIN na/me t-60-10,x",
                                 "login name t-60-10,x", "LOGIN \xff\xfe t-60-10"}) {
    EXPECT_FALSE(parse_login(line).login) << line;
    EXPECT_FALSE(parse_login(line).wants_explanation) << line;
  }
  EXPECT_FALSE(parse_login("LOGIN " + long_name + " x").login);
}

TEST(Login, four_words_or_more_are_explained) {
  EXPECT_TRUE(parse_login("LOGIN name t-60-10,x extra").wants_explanation);
  EXPECT_FALSE(parse_login("LOGIN name t-60-10,x extra").login);
  EXPECT_TRUE(parse_login("LOGIN a b x1 x1").wants_explanation);
}

}  // namespace
}  // namespace kakehashi::rehearse::server
