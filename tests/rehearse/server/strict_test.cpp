// What the protocol allows a client, and what only shogi-server lets pass.
#include "rehearse/server/session.hpp"

#include <gtest/gtest.h>

namespace kakehashi::rehearse::server {
namespace {

using base::Millis;

constexpr StrictView waiting{Status::game_waiting, false, "", Millis{0}};
constexpr StrictView offered{Status::agree_waiting, false, "g+1", Millis{0}};
constexpr StrictView our_turn{Status::game, true, "g+1", Millis{0}};
constexpr StrictView their_turn{Status::game, false, "g+1", Millis{0}};

TEST(Strict, a_login_has_three_words_of_allowed_bytes) {
  EXPECT_TRUE(is_strict_login("LOGIN my_bot-1 a,b#c"));
  for (const char* line : {"LOGIN a", "LOGIN a b x1", "LOGIN  a b", "LOGIN a.b c", "LOGIN a\tb c",
                           "login a b", "LOGIN a \xe6\xad\xa9", " LOGIN a b", ""}) {
    EXPECT_FALSE(is_strict_login(line)) << line;
  }
  const std::string longest(32, 'a');
  EXPECT_TRUE(is_strict_login("LOGIN " + longest + " " + longest));
  EXPECT_FALSE(is_strict_login("LOGIN " + longest + "a x"));
  EXPECT_FALSE(is_strict_login("LOGIN x " + longest + "a"));
}

TEST(Strict, each_line_has_its_time) {
  EXPECT_FALSE(is_strict_fault("+7776FU", our_turn));
  EXPECT_FALSE(is_strict_fault("%TORYO", our_turn));
  EXPECT_FALSE(is_strict_fault("%KACHI", our_turn));
  EXPECT_FALSE(is_strict_fault("AGREE", offered));
  EXPECT_FALSE(is_strict_fault("AGREE g+1", offered));
  EXPECT_FALSE(is_strict_fault("REJECT g+1", offered));
  EXPECT_FALSE(is_strict_fault("LOGOUT", waiting));
  EXPECT_FALSE(is_strict_fault("LOGOUT", offered));

  EXPECT_TRUE(is_strict_fault("+7776FU", their_turn));
  EXPECT_TRUE(is_strict_fault("%TORYO", their_turn));
  EXPECT_TRUE(is_strict_fault("+7776FU", waiting));
  EXPECT_TRUE(is_strict_fault("AGREE", our_turn));
  EXPECT_TRUE(is_strict_fault("AGREE g+2", offered));
  EXPECT_TRUE(is_strict_fault("LOGOUT", our_turn));
}

TEST(Strict, an_empty_line_keeps_its_distance) {
  StrictView view = our_turn;
  view.silence = Millis{29'999};
  EXPECT_TRUE(is_strict_fault("", view));
  view.silence = strict_keepalive_min;
  EXPECT_FALSE(is_strict_fault("", view));
  EXPECT_TRUE(is_strict_fault(" ", view)) << "shogi-server's own silent form";
}

TEST(Strict, what_shogi_server_adds_is_no_line_of_the_protocol) {
  for (const char* line : {"+7776FU,'* 52 -3334FU", "+7776FU,T3", "%CHUDAN", "%%WHO", "CHALLENGE",
                           "AGREE  g+1", "agree", "+77776FU", "hello"}) {
    EXPECT_TRUE(is_strict_fault(line, our_turn)) << line;
    EXPECT_TRUE(is_strict_fault(line, offered)) << line;
  }
}

}  // namespace
}  // namespace kakehashi::rehearse::server
