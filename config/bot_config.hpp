// The room config: the settings of a bot. It owns what each is, its default, and the rules that change some for one
// game; it knows no YAML, and touches no file.
//
// Everything a bot can be told: a struct for each section, in the order of the reference. A setting is declared once, in
// the header of its section: the member with its default, and for schema/keys.cpp its name, type, range, level and
// meaning. Reading YAML is the room yaml's business; how settings fit together is validate's.
#pragma once

#include <string>
#include <vector>

#include "config/engine_config.hpp"
#include "config/game_config.hpp"
#include "config/record_config.hpp"
#include "config/server_config.hpp"
#include "config/service_config.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {

/// Whether the engine thinks on the opponent's time: from the server's word on our move on, or
/// early, from our move on.
enum class Ponder { off, on, early };

struct BotConfig {
  std::string name;   ///< of this bot in logs; default: the account's name
  Server server;
  Account account;
  Game game;
  Schedule schedule;
  Engine engine;
  Ponder ponder = Ponder::off;
  Time time;
  Records records;
  Book book;
  Archive archive;
  Journal journal;
  Stop stop;
  std::vector<Notify> notify;  ///< who is told what
  Log log;
  std::vector<SettingRule> rules;  ///< for single games, in the order in which they apply
};

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schema/declare.hpp"

namespace kakehashi::config {

inline void declare(SettingsOf<BotConfig> bot) {
  bot.text("name", &BotConfig::name, judge_bot_name, say("1 to 64 bytes"), common,
      say("What this bot is called in the log."), say("the account's name"));
  Key& ponder = bot.choice("ponder", &BotConfig::ponder, {"off", "on", "early"}, basic,
      say("Whether the engine thinks on the opponent's time; sets the engine's USI_Ponder too. on begins when the "
          "server confirms our move, early when it is sent. false and true mean off and on."));
  std::get<ChoiceKey>(ponder.shape).aliases = {{"false", "off"}, {"true", "on"}};
  ponder.is_settable = true;
  bot.items("notify", &BotConfig::notify, declare_recipient, recipients_max, say("a recipient"), common,
      say("Who is notified of what: webhooks, whose address is in a file of its own, and commands, which get JSON on "
          "their standard input. See [Be notified](watching.md#be-notified)."));
  bot.own("rules", RulesKey{}, common,
      say("Settings for single games, chosen by what is known when a game is offered. See the chapter Rules of "
          "docs/configuration.md."));
  declare(bot.section("server", &BotConfig::server, say("The CSA server.")));
  declare(bot.section("account", &BotConfig::account,
      say("Who logs in. The trip or password comes from exactly one of a file, an environment variable or a systemd "
          "credential; it is never in a configuration file or on a command line. Only a private game on a test "
          "server can do without.")));
  declare(bot.section("game", &BotConfig::game, say("What is played.")));
  declare(bot.section("schedule", &BotConfig::schedule,
      say("When the bot plays. Outside its windows it is logged out, between games, while the engine stays ready; "
          "`kakehashi check` shows when the next window opens.")));
  declare(bot.section("engine", &BotConfig::engine, say("The engine.")));
  declare(bot.section("time", &BotConfig::time, say("How the clock is used.")));
  declare(bot.section("records", &BotConfig::records, say("Records of the games.")));
  declare(bot.section("book", &BotConfig::book,
      say("An opening book of the bridge, asked before the engine.")));
  declare(bot.section("archive", &BotConfig::archive,
      say("The archive of finished games. See [The archive](records.md#the-archive).")));
  declare(bot.section("journal", &BotConfig::journal, say("The journal of what happened.")));
  declare(bot.section("stop", &BotConfig::stop, say("How the bot leaves.")));
  declare(bot.section("log", &BotConfig::log, say("The log.")));
}

}  // namespace kakehashi::config
#endif
