#include "config/schema/plain_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using testing::Contains;

BotConfig rebuilt(const std::vector<PlainSetting>& settings) {
  BotConfig bot;
  for (const PlainSetting& setting : settings) {
    EXPECT_TRUE(apply(setting, bot)) << setting.key;
  }
  return bot;
}

TEST(PlainSettings, a_configuration_comes_back_whole) {
  auto loaded = load({"server.port: 4082", "time.margin: 250ms", "game.count: 3",
                      "game.comments: false", "engine.command: [/opt/e e, --fast]", "ponder: true",
                      "engine.options: [{Hash: 16}, {Clear Hash: }, {Hash: 32}]",
                      "game.resign: {score: 3000, moves: 5}",
                      "rules: [{when: {opponent: [a, b], color: white}, set: {ponder: off, engine: "
                      "{options: {Hash: 8, Clear: }}}}, {set: {time: {margin: auto}}}]",
                      "server.proxy: http://bob:s3cret@proxy.example:3128",
                      "server.tls.ca_file: /ca.pem",
                      "records.formats: [csa3, kif]", "log.rotate_bytes: 20kB"});
  ASSERT_TRUE(loaded.problems.empty());
  BotConfig& bot = loaded.bots[0];
  bot.records.utc_offset = std::chrono::minutes(540);

  const auto settings = plain_settings(bot);
  const BotConfig back = rebuilt(settings);

  EXPECT_EQ(plain_settings(back), settings);
  EXPECT_EQ(back.rules, bot.rules);
  EXPECT_EQ(back.server.port, 4082);
  EXPECT_EQ(back.time.margin, Millis{250});
  EXPECT_EQ(back.game.count, 3);
  EXPECT_EQ(back.game.comments, false);
  EXPECT_EQ(back.engine.command, bot.engine.command);
  EXPECT_EQ(back.engine.options, bot.engine.options);
  ASSERT_TRUE(back.server.proxy);
  EXPECT_EQ(back.server.proxy->kind, csa::ProxySettings::Kind::http);
  EXPECT_EQ(back.server.proxy->host, "proxy.example");
  EXPECT_EQ(back.server.proxy->port, 3128);
  EXPECT_EQ(back.server.proxy->user, "bob");
  EXPECT_EQ(back.server.proxy->password.reveal(), masked_secret);
  EXPECT_TRUE(back.server.tls.enabled);
  EXPECT_EQ(back.server.tls.ca_file, "/ca.pem");
  EXPECT_EQ(back.game.resign.by, Resign::By::score);
  EXPECT_EQ(back.game.resign.score, 3000);
  EXPECT_EQ(back.game.resign.moves, 5);
  EXPECT_EQ(back.records.formats, (std::vector{shogi::record::Format::csa3, shogi::record::Format::kif}));
  EXPECT_EQ(back.records.utc_offset, std::chrono::minutes(540));
  EXPECT_TRUE(back.account.password.empty());
}

TEST(PlainSettings, what_is_not_set_stays_unset) {
  const BotConfig back = rebuilt(plain_settings(BotConfig()));
  EXPECT_EQ(back.game.count, std::nullopt);
  EXPECT_EQ(back.game.comments, std::nullopt);
}

TEST(PlainSettings, no_secret_is_among_them) {
  BotConfig bot;
  bot.account.password = base::Secret("s3cret-tr1p");
  bot.server.proxy = csa::ProxySettings{csa::ProxySettings::Kind::socks5, "proxy", 1080, "bob", base::Secret("s3cret-tr1p")};
  bot.engine.environment = {{"TOKEN", "s3cret-tr1p"}};
  const auto settings = plain_settings(bot);
  for (const PlainSetting& setting : settings) {
    EXPECT_EQ(std::count(setting.values.begin(), setting.values.end(), "s3cret-tr1p"), 0);
  }
  EXPECT_THAT(settings, Contains(PlainSetting{"engine.environment", {"TOKEN", masked_secret}}));
  EXPECT_EQ(rebuilt(settings).account.password.reveal(), masked_secret);
}

TEST(PlainSettings, what_is_not_understood_changes_nothing) {
  BotConfig bot;
  const auto before = plain_settings(bot);
  EXPECT_FALSE(apply({"server.prot", {"1"}}, bot));
  EXPECT_FALSE(apply({"server.port", {"many"}}, bot));
  EXPECT_FALSE(apply({"server.port", {}}, bot));
  EXPECT_FALSE(apply({"log.level", {"loud"}}, bot));
  EXPECT_FALSE(apply({"log.rotate_bytes", {"-1"}}, bot));
  EXPECT_FALSE(apply({"engine.options", {}}, bot));
  EXPECT_EQ(plain_settings(bot), before);
}

}  // namespace
}  // namespace kakehashi::config
