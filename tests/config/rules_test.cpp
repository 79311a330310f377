#include "config/schema/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kakehashi::config {
namespace {

TEST(Rules, a_host_stands_alone) {
  for (const char* host : {"wdoor.c.u-tokyo.ac.jp", "127.0.0.1", "localhost", "::1",
                           "fe80::1%eth0", "my_server"}) {
    EXPECT_EQ(judge_host(host), std::nullopt) << host;
  }
  EXPECT_EQ(judge_host(""), "must be the server's name or address, such as wdoor.c.u-tokyo.ac.jp");
  EXPECT_EQ(judge_host("tcp://host"),
            "must be a name or an address alone, without the part up to ://");
  EXPECT_EQ(judge_host("host:4081"),
            "must be a name or an address alone; the port goes to server.port");
  EXPECT_EQ(judge_host("[::1]"), "must be an IPv6 address without its brackets");
  EXPECT_EQ(judge_host("a b"), "must be a name or an address; a space is not allowed in one");
  EXPECT_EQ(judge_host("将棋"), "must be a name or an address; \"将\" is not allowed in one");
  EXPECT_EQ(judge_host(std::string(254, 'a')), "must have at most 253 bytes, not 254");
}

TEST(Rules, an_account_name_is_what_servers_take) {
  for (const char* name : {"a", "My_Bot-2.0@home", "0", "abcdefghijklmnopqrstuvwxyz012345"}) {
    EXPECT_EQ(judge_account_name(name), std::nullopt) << name;
  }
  EXPECT_EQ(judge_account_name(""),
            "must not be empty; servers take 1 to 32 letters, digits and _ @ - .");
  EXPECT_EQ(judge_account_name("my bot"),
            "must be of letters, digits and _ @ - . only; a space is not allowed");
  EXPECT_EQ(judge_account_name("bot+x"),
            "must be of letters, digits and _ @ - . only; \"+\" is not allowed");
  EXPECT_EQ(judge_account_name("bot\n"),
            "must be of letters, digits and _ @ - . only; \"\\x0A\" is not allowed");
  EXPECT_EQ(judge_account_name(std::string(33, 'a')), "must have at most 32 bytes, not 33");
}

TEST(Rules, a_game_name_tells_its_clock) {
  for (const char* name : {"floodgate-300-10F", "mytest-60-5F-B", "test-0-10-w", "default-1500-0", "",
                           "dr2tsec+buoy"}) {
    const bool is_good = std::string_view(name) != "dr2tsec+buoy";
    EXPECT_EQ(judge_game_name(name) == std::nullopt, is_good) << name;
  }
  EXPECT_EQ(judge_game_name("dr2-11-bottom_43_dlshogi_xylty-60-2F"), std::nullopt);
  EXPECT_EQ(judge_game_name("floodgate"),
            "\"floodgate\" is no game name: write <label>-<seconds>-<seconds per move>, with F after "
            "it when those are added (Fischer), such as floodgate-300-10F; servers silently put any "
            "other name into a game called default-1500-0");
  EXPECT_EQ(judge_game_name("floodgate-300-10F,hunter2"),
            "must not hold a comma: the game name stands here alone, the trip comes from "
            "account.password_file");
  EXPECT_EQ(judge_game_name("floodgate-300-10F-B"),
            "must not ask for a side (-B) on floodgate: the server would never pair the bot");
  EXPECT_EQ(judge_game_name(std::string(130, 'a') + "-1-1"), "must have at most 128 bytes, not 134");
}

TEST(Rules, paths_are_not_expanded) {
  EXPECT_EQ(judge_path("/etc/kakehashi/a b"), std::nullopt);
  EXPECT_EQ(judge_path("records"), std::nullopt);
  EXPECT_EQ(judge_path(""), "must not be empty; remove the line when it is not needed");
  EXPECT_EQ(judge_path("~/x"), "begins with ~, which only a shell replaces; write the whole path");
  EXPECT_EQ(judge_path("${HOME}/x"),
            "holds ${HOME}, and variables are not replaced; write the whole path");
  EXPECT_EQ(judge_path("/srv/$USER/x"), "holds $USER, and variables are not replaced; write the whole path");
  EXPECT_EQ(judge_path("/srv/5$/x$"), std::nullopt);
  EXPECT_EQ(judge_path("a\nb"), "must not hold a line end or another control character");
  EXPECT_EQ(judge_path(std::string(4097, 'a')), "must have at most 4096 bytes, not 4097");
  EXPECT_EQ(judge_directory(""), std::nullopt);
}

TEST(Rules, a_variable_is_named_without_its_dollar) {
  EXPECT_EQ(judge_variable("KAKEHASHI_TRIP"), std::nullopt);
  for (const char* name : {"", "$TRIP", "1TRIP", "A=B", "A B"}) {
    EXPECT_EQ(judge_variable(name),
              "must be the name of an environment variable: letters, digits and _, without a $")
        << name;
  }
}

TEST(Rules, a_credential_never_leads_out_of_its_directory) {
  EXPECT_EQ(judge_credential("password"), std::nullopt);
  for (const char* name : {"", ".", "..", "../shadow", "/etc/passwd", "a\nb"}) {
    EXPECT_EQ(judge_credential(name),
              "must be the name of a credential as in LoadCredential=NAME:PATH, without a /")
        << name;
  }
}

TEST(Rules, a_record_name_knows_its_placeholders) {
  EXPECT_EQ(judge_record_name("{date}-{time}_{game_id}_{black}_{white}_{game_name}"), std::nullopt);
  EXPECT_EQ(judge_record_name("{dat}_{time}"),
            "has the unknown placeholder \"{dat}\"; did you mean {date}?");
  EXPECT_EQ(judge_record_name("{opponent}"),
            "has the unknown placeholder \"{opponent}\"; there are {date} {time} {game_id} {black} "
            "{white} {game_name} {datetime} {title} {sente} {gote} {hex5}");
  EXPECT_EQ(judge_record_name("{datetime}{_title}{sente_}-{_hex5}"), std::nullopt);
  EXPECT_NE(judge_record_name("{_opponent}"), std::nullopt);
  EXPECT_NE(judge_record_name("{__title}"), std::nullopt);
  for (const char* name : {"{date", "date}", "{{date}}", "{da{te}"}) {
    EXPECT_EQ(judge_record_name(name), "has a brace without its partner; placeholders look like {date}")
        << name;
  }
  EXPECT_EQ(judge_record_name(""), "must not be empty");
  EXPECT_EQ(judge_record_name("../x"),
            "must be a file name without / and \\; the directory goes to records.directory");
  EXPECT_EQ(judge_record_name(std::string(151, 'a')), "must have at most 150 bytes, not 151");
}

TEST(Rules, a_bot_name_is_one_line) {
  EXPECT_EQ(judge_bot_name("架け橋 1"), std::nullopt);
  EXPECT_EQ(judge_bot_name(""), "must not be empty; without the key the account's name is used");
  EXPECT_EQ(judge_member_name("second"), std::nullopt);
  EXPECT_EQ(judge_member_name(""), "must not be empty; without the key its number in the team is used");
  EXPECT_EQ(judge_bot_name("a\x1B[0m"), "must not hold a line end or another control character");
  EXPECT_EQ(judge_bot_name(std::string(65, 'a')), "must have at most 64 bytes, not 65");
}

TEST(GameName, label_clock_and_side_are_read) {
  const auto floodgate = parse_game_name("floodgate-300-10F");
  ASSERT_TRUE(floodgate);
  EXPECT_TRUE(floodgate->is_floodgate());
  EXPECT_EQ(floodgate->total, base::Seconds{300});
  EXPECT_EQ(floodgate->per_move, base::Seconds{10});
  EXPECT_TRUE(floodgate->is_fischer);
  EXPECT_FALSE(floodgate->has_side);

  const auto mine = parse_game_name("my-test-60-5-w");
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->label, "my-test");
  EXPECT_FALSE(mine->is_fischer);
  EXPECT_TRUE(mine->has_side);

  const auto stop_watch = parse_game_name("test-600-060");
  ASSERT_TRUE(stop_watch);
  EXPECT_TRUE(stop_watch->is_stop_watch);
}

TEST(GameName, anything_else_is_none) {
  for (const char* text : {"", "-", "--", "a-1", "a-1-", "a--1", "-1-1", "a-1-1f", "a-1-1FF", "a b-1-1",
                           "a-1-1-X", "a-1-1-B-W", "a-x-1", "a-1-1234567890", "a,b-1-1", "架-1-1"}) {
    EXPECT_EQ(parse_game_name(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace kakehashi::config
