// Which bot gets which configuration when the files were read again: never another one's.
#include "daemon/fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kakehashi::daemon {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

config::BotConfig bot(const std::string& name, const std::string& account, const std::string& host = "one") {
  config::BotConfig made;
  made.name = name;
  made.account.name = account;
  made.server.host = host;
  return made;
}

std::vector<std::string> logins(const std::vector<config::BotConfig>& bots) {
  std::vector<std::string> found;
  for (const config::BotConfig& one : bots) {
    found.push_back(one.name + ": " + one.account.name + " on " + one.server.host);
  }
  return found;
}

TEST(ReloadTest, a_secret_that_differs_is_a_change_though_the_settings_look_the_same) {
  auto now = bot("a", "a");
  now.server.proxy = csa::ProxySettings{csa::ProxySettings::Kind::socks5, "proxy", 1080, "me", base::Secret("old")};
  now.server.proxy_password_file = "/run/secrets/proxy";
  auto next = now;
  EXPECT_THAT(changes_between(now, next).with_renewal, IsEmpty());
  next.server.proxy->password = base::Secret("new");
  EXPECT_THAT(changes_between(now, next).with_renewal, ElementsAre("server.proxy_password_file"));
  next.server.proxy_password_file = now.server.proxy_password_file = "";
  EXPECT_THAT(changes_between(now, next).with_renewal, ElementsAre("server.proxy"));
  next = now;
  next.account.password = base::Secret("new");
  next.engine.environment = {{"TOKEN", "new"}};
  EXPECT_THAT(changes_between(now, next).with_renewal, ElementsAre("account.password", "engine.environment"));
}

TEST(ReloadTest, bots_are_known_by_their_names_in_whatever_order_they_are_read) {
  const auto next = in_order_of({bot("a", "a"), bot("b", "b")}, {bot("b", "b", "two"), bot("a", "c")});
  ASSERT_TRUE(next) << next.error();
  EXPECT_THAT(logins(*next), ElementsAre("a: c on one", "b: b on two"));
}

TEST(ReloadTest, other_bots_than_run_are_refused_by_name) {
  const std::vector running{bot("a", "a"), bot("b", "b")};
  EXPECT_THAT(in_order_of(running, {bot("a", "a"), bot("c", "c")}).error(),
              HasSubstr("new: \"c\"; gone: \"b\": restart"));
  EXPECT_THAT(in_order_of(running, {bot("a", "a")}).error(), HasSubstr("run; gone: \"b\": restart"));
  EXPECT_THAT(in_order_of(running, {bot("a", "a"), bot("b", "b"), bot("b", "b", "two")}).error(),
              HasSubstr("run; new: \"b\": restart"));
}

TEST(ReloadTest, of_bots_with_one_name_the_login_tells_which_is_meant) {
  const std::vector running{bot("a", "a", "one"), bot("a", "a", "two")};
  const auto next = in_order_of(running, {bot("a", "a", "Two"), bot("a", "a", "one")});
  ASSERT_TRUE(next) << next.error();
  EXPECT_THAT(logins(*next), ElementsAre("a: a on one", "a: a on Two"));
  EXPECT_THAT(in_order_of(running, {bot("a", "a", "two"), bot("a", "a", "three")}).error(),
              HasSubstr("several bots are called \"a\", and none of them is \"a\" on \"one\":4081 any more"));
}

TEST(ReloadTest, no_bot_logs_in_as_another_one_that_runs) {
  EXPECT_THAT(in_order_of({bot("a", "a"), bot("b", "b")}, {bot("a", "b"), bot("b", "a")}).error(),
              HasSubstr("\"a\" would log in as \"b\" on \"one\":4081, as another bot does"));
}

}  // namespace
}  // namespace kakehashi::daemon
