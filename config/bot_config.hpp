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
  using enum Level;
  bot.text("name", &BotConfig::name, judge_bot_name, {"1 to 64 bytes", "1〜64 バイト"}, common,
      {"What this bot is called in the log.", "ログでのこのボットの呼び名。"},
      {"the account's name", "アカウントの名前"});
  Key& ponder = bot.choice("ponder", &BotConfig::ponder, {"off", "on", "early"}, basic,
      {"Whether the engine thinks on the opponent's time; sets the engine's USI_Ponder too. on begins when the "
       "server confirms our move, early when it is sent. false and true mean off and on.",
       "相手の考慮中に先読みするか。エンジンの USI_Ponder も設定する。on はサーバーが自分の手を確認したときから、"
       "early は送ったときから。false と true は off と on。"});
  std::get<ChoiceKey>(ponder.shape).aliases = {{"false", "off"}, {"true", "on"}};
  ponder.is_settable = true;
  bot.own("notify", NotifyKey{}, common,
      {"Who is notified of what: webhooks, whose address is in a file of its own, and commands, which get JSON on "
       "their standard input. See [Be notified](watching.md#be-notified).",
       "何が起きたら誰に知らせるか。ウェブフック(アドレスは専用のファイルに置く)とコマンド(標準入力に JSON を渡す)。"
       "詳しくは[通知を受け取る](watching.ja.md#通知を受け取る)。"});
  bot.own("rules", RulesKey{}, common,
      {"Settings for single games, chosen by what is known when a game is offered. See the chapter Rules of "
       "docs/configuration.md.",
       "組まれた対局について分かっていることで選ぶ、その対局だけの設定。docs/configuration.ja.md の「規則」の章。"});
  declare(bot.section("server", &BotConfig::server, {"The CSA server.", "CSA サーバー。"}));
  declare(bot.section("account", &BotConfig::account,
      {"Who logs in. The trip or password comes from exactly one of a file, an environment variable or a systemd "
       "credential; it is never in a configuration file or on a command line. Only a private game on a test "
       "server can do without.",
       "誰としてログインするか。trip かパスワードは、ファイル、環境変数、systemd の credential のどれか 1 つから取"
       "り、設定ファイルやコマンドラインには決して書かない。テスト用サーバーの私的な対局だけは、なくてもよい。"}));
  declare(bot.section("game", &BotConfig::game, {"What is played.", "何を指すか。"}));
  declare(bot.section("schedule", &BotConfig::schedule,
      {"When the bot plays. Outside its windows it is logged out, between games, while the engine stays ready; "
       "`kakehashi check` shows when the next window opens.",
       "いつ指すか。時間帯の外では、対局中でなければログアウトし、エンジンは準備のできたまま待つ。次に開く時刻は "
       "`kakehashi check` が示す。"}));
  declare(bot.section("engine", &BotConfig::engine, {"The engine.", "エンジン。"}));
  declare(bot.section("time", &BotConfig::time, {"How the clock is used.", "時計の使い方。"}));
  declare(bot.section("records", &BotConfig::records, {"Records of the games.", "対局の棋譜。"}));
  declare(bot.section("book", &BotConfig::book,
      {"An opening book of the bridge, asked before the engine.", "エンジンより先に尋ねる、ブリッジの定跡。"}));
  declare(bot.section("archive", &BotConfig::archive,
      {"The archive of finished games. See [The archive](records.md#the-archive).",
       "終わった対局のデータベース。詳しくは[アーカイブ](records.ja.md#アーカイブ)。"}));
  declare(bot.section("journal", &BotConfig::journal, {"The journal of what happened.", "起きたことの記録。"}));
  declare(bot.section("stop", &BotConfig::stop, {"How the bot leaves.", "ボットの終わり方。"}));
  declare(bot.section("log", &BotConfig::log, {"The log.", "ログ。"}));
}

}  // namespace kakehashi::config
#endif
