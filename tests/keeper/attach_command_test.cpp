
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "keeper/client.hpp"

namespace kakehashi::keeper {
namespace {

using testing::ElementsAre;

TEST(AttachCommand, names_of_bots_become_names_of_keepers_and_stay_apart) {
  EXPECT_EQ(keeper_name("alice"), "alice");
  EXPECT_THAT(keeper_name("a/b"), testing::StartsWith("a_b-"));
  EXPECT_NE(keeper_name("a/b"), keeper_name("a:b"));
  EXPECT_THAT(keeper_name("-x"), testing::StartsWith("_-x-"));
  EXPECT_LE(keeper_name(std::string(500, 'x')).size(), 64U);
  EXPECT_NE(keeper_name(std::string(500, 'x')), keeper_name(std::string(501, 'x')));
}

TEST(AttachCommand, what_is_not_given_is_not_said) {
  EXPECT_THAT(attach_words({.name = "n", .command = {"/e", "a b"}}), ElementsAre("attach", "n", "--", "/e", "a b"));
  EXPECT_THAT(attach_words({.name = "n", .command = {"/e"}, .directory = "/d", .mark = "m", .fresh = "f"}),
              ElementsAre("attach", "n", "--directory", "/d", "--mark", "m", "--fresh", "f", "--", "/e"));
}

TEST(AttachCommand, a_host_is_a_name_or_a_whole_command_line) {
  EXPECT_THAT(ssh_command("gpu1"), testing::IsSupersetOf({"BatchMode=yes", "IPQoS=af21", "-T"}));
  EXPECT_EQ(ssh_command("gpu1").back(), "gpu1");
  EXPECT_THAT(ssh_command("ssh -p 2222  me@gpu1"), ElementsAre("ssh", "-p", "2222", "me@gpu1"));
}

TEST(AttachCommand, the_shell_there_gets_words_and_nothing_to_expand) {
  EXPECT_EQ(quote_for_shell("a b"), "'a b'");
  EXPECT_EQ(quote_for_shell("it's $(x) `y` \"z\" \\"), "'it'\\''s $(x) `y` \"z\" \\'");
  EXPECT_THAT(remote_command({"attach", "n;m"}), testing::EndsWith(" sh 'attach' 'n;m'"));
}

}  // namespace
}  // namespace kakehashi::keeper
