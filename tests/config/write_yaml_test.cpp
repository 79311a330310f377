#include "config/yaml/write_yaml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"
#include "tests/config/settings.hpp"

namespace kakehashi::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

BotConfig odd_bot() {
  BotConfig bot;
  bot.server.host = "::1";
  bot.server.keepalive = Seconds{90};
  bot.server.logout = Logout::never;
  bot.account.name = "bot@home";
  bot.account.password = base::Secret("himitsu");
  bot.account.password_file = "/etc/with space: and \"quotes\"\\";
  bot.game.name = "floodgate-300-10F";
  bot.game.count = 3;
  bot.game.comments = false;
  bot.engine.command = {"/opt/my engine", "--flag", "", "# no comment", "'x'"};
  bot.engine.environment = {{"A", "true"}, {"B", "x: y"}};
  bot.engine.options = {{"USI_Hash", "1024"}, {"Eval Dir", "eval # nn"}, {"Book", ""},
                        {"Yes", "no"},        {"Clear Hash", std::nullopt}, {"将棋", "- a\x01"}};
  bot.ponder = Ponder::early;
  bot.records.name = "{datetime}{_sente}";
  bot.log.rotate_bytes = 0;
  return bot;
}

TEST(WriteYaml, what_is_written_reads_back_as_the_same) {
  BotConfig bot = odd_bot();
  // A control character is no value for an engine; the reader would refuse it.
  bot.engine.options.back().second = "- a";
  const auto loaded = load_text(write_yaml(bot, "Head."));
  ASSERT_THAT(described(loaded.problems), IsEmpty());
  const BotConfig& back = loaded.bots.front();
  EXPECT_EQ(back.server.host, bot.server.host);
  EXPECT_EQ(back.server.keepalive, bot.server.keepalive);
  EXPECT_EQ(back.server.logout, bot.server.logout);
  EXPECT_EQ(back.account.name, bot.account.name);
  EXPECT_EQ(back.account.password_file, bot.account.password_file);
  EXPECT_EQ(back.game.name, bot.game.name);
  EXPECT_EQ(back.game.count, bot.game.count);
  EXPECT_EQ(back.game.comments, bot.game.comments);
  EXPECT_EQ(back.engine.command, bot.engine.command);
  EXPECT_EQ(back.engine.environment, bot.engine.environment);
  EXPECT_EQ(back.engine.options, bot.engine.options);
  EXPECT_EQ(back.ponder, bot.ponder);
  EXPECT_EQ(back.records.name, bot.records.name);
  EXPECT_EQ(back.log.rotate_bytes, 0U);
  EXPECT_EQ(back.server.port, Server{}.port);
}

TEST(WriteYaml, items_of_lists_are_written_by_their_settings) {
  BotConfig bot = odd_bot();
  bot.engine.options.back().second = "- a";
  bot.notify = {{"/etc/hook", {}, NotifyTemplate::slack, {NotifyEvent::rescue, NotifyEvent::no_game}},
                {"", {"/bin/tell", "-v x"}, NotifyTemplate::json, {NotifyEvent::result}}};
  bot.engine.team.resize(2);
  bot.engine.team[0].name = "second";
  bot.engine.team[0].options = {{"Threads", "4"}};
  const std::string text = write_yaml(bot, "Head.");
  EXPECT_THAT(text, HasSubstr("\nnotify:\n"
                              "  - url_file: /etc/hook\n"
                              "    template: slack\n"
                              "    events: [rescue, no_game]\n"
                              "  - command: [/bin/tell, \"-v x\"]\n"));
  const auto loaded = load_text(text);
  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(loaded.bots.front().notify, bot.notify);
  const Key& team = *find_key("engine.team");
  EXPECT_EQ(plain_settings(team, loaded.bots.front()), plain_settings(team, bot));
}

TEST(WriteYaml, the_password_stands_nowhere) {
  EXPECT_THAT(write_yaml(odd_bot(), "Head."), Not(HasSubstr("himitsu")));
}

TEST(WriteYaml, only_what_differs_is_written_with_its_explanation) {
  BotConfig bot;
  bot.server.host = "localhost";
  bot.account.name = "me";
  bot.engine.command = {"/opt/engine"};
  EXPECT_EQ(write_yaml(bot, "A head\nof two lines."),
            "# A head\n# of two lines.\n"
            "\nserver:\n"
            "  # The CSA server; floodgate is wdoor.c.u-tokyo.ac.jp.\n"
            "  host: localhost\n"
            "\naccount:\n"
            "  # The name to log in with; the server shows it to everyone.\n"
            "  name: me\n"
            "\nengine:\n"
            "  # The engine's program and its arguments, each its own text; one text alone is the "
            "program's path,\n"
            "  # spaces included. No shell is involved.\n"
            "  command: [/opt/engine]\n");
}

TEST(WriteYaml, comments_are_in_the_language_of_the_reader_and_no_line_is_too_long) {
  BotConfig bot = odd_bot();
  bot.name = "odd";
  bot.engine.options.back().second = "- a";
  const std::string text = write_yaml(bot, "頭。", Extent::all, words::Language::japanese);
  const auto loaded = load_text(text);
  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(write_yaml(loaded.bots.front(), "Head."), write_yaml(bot, "Head."));
  EXPECT_THAT(text, HasSubstr("# 頭。\n"));
  for (const Key& key : keys()) {
    const std::string begin = words::in(words::Language::japanese, key.meaning).substr(0, 9);
    EXPECT_TRUE(is_section(key.path) || text.find("# " + begin) != std::string::npos) << key.path;
  }
  for (const std::string_view line : base::split(text, '\n')) {
    const auto begin = line.find_first_not_of(" #");
    if (line.substr(0, begin).ends_with("# ")) {
      EXPECT_LE(line.size(), 155U) << line;  // three bytes are two columns
      EXPECT_FALSE(line.substr(begin).starts_with("。") || line.substr(begin).starts_with("、")) << line;
    }
  }
}

TEST(WriteYaml, with_all_every_other_key_is_a_comment_with_its_default_and_changes_nothing) {
  BotConfig bot = odd_bot();
  bot.name = "odd";
  bot.engine.options.back().second = "- a";
  const std::string text = write_yaml(bot, "Head.", Extent::all);
  const auto loaded = load_text(text);
  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_EQ(write_yaml(loaded.bots.front(), "Head."), write_yaml(bot, "Head."));
  for (const Key& key : keys()) {
    EXPECT_THAT(text, HasSubstr(key.leaf() + ":")) << key.path;
  }
}

TEST(WriteYaml, with_all_a_comment_stands_where_the_setting_would_stand) {
  BotConfig bot;
  bot.server.host = "localhost";
  bot.account.name = "me";
  bot.engine.command = {"/opt/engine"};
  const std::string text = write_yaml(bot, "", Extent::all);
  EXPECT_THAT(text, HasSubstr("\nserver:\n  # The CSA server; floodgate is wdoor.c.u-tokyo.ac.jp.\n  host: localhost\n"
                              "  # Its TCP port.\n  #port: 4081\n"));
  // A section of which nothing is said is a comment as a whole.
  EXPECT_THAT(text, HasSubstr("\n#stop:\n# "));
}

TEST(WriteYaml, a_section_that_switches_tls_on_is_written_once) {
  BotConfig bot = odd_bot();
  bot.engine.options.clear();
  bot.server.tls.enabled = true;
  EXPECT_THAT(write_yaml(bot, ""), HasSubstr("\n  tls: true\n"));
  bot.server.tls.ca_file = "/etc/ca.pem";
  const std::string text = write_yaml(bot, "");
  EXPECT_THAT(text, Not(HasSubstr("tls: true")));
  const auto loaded = load_text(text);
  ASSERT_THAT(described(loaded.problems), IsEmpty());
  EXPECT_TRUE(loaded.bots.front().server.tls.enabled);
  EXPECT_EQ(loaded.bots.front().server.tls.ca_file, "/etc/ca.pem");
}

TEST(WriteYaml, options_that_repeat_become_a_list) {
  BotConfig bot;
  bot.server.host = "localhost";
  bot.account.name = "me";
  bot.account.password_file = "/p";
  bot.engine.command = {"/opt/engine"};
  bot.engine.options = {{"Clear", std::nullopt}, {"Hash", "1"}, {"Clear", std::nullopt}};
  const std::string text = write_yaml(bot, "Head.");
  EXPECT_THAT(text, HasSubstr("  options:\n    - Clear:\n    - Hash: 1\n    - Clear:\n"));
  EXPECT_THAT(load_text(text).bots.front().engine.options,
              ElementsAre(Pair("Clear", std::nullopt), Pair("Hash", "1"),
                          Pair("Clear", std::nullopt)));
}

}  // namespace
}  // namespace kakehashi::config
