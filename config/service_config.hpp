// How a bot runs beside its games: the sections `stop` and `log`, and whom it tells what (`notify`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::config {

using base::Seconds;

/// How the bot leaves when it is asked to.
struct Stop {
  Seconds drain_limit{0};  ///< how long a game may go on; 0: to its end
};

/// How a message is spelled for the one who takes it. Older journals hold the number: a new one comes behind these.
enum class NotifyTemplate { discord, slack, json, text };

/// What is told. `test`: a person tries whether it arrives; nobody asks for it otherwise, so that it has no word below.
/// Older journals hold the number: a new one comes right before it.
enum class NotifyEvent { paired, started, result, rescue, no_game, disconnected, test };

inline constexpr std::size_t recipients_max = 16;  ///< of one bot

/// One recipient: a webhook or a command.
struct Notify {
  std::string url_file;              ///< holds the webhook's address, which is a secret
  std::vector<std::string> command;  ///< program and arguments; no shell
  NotifyTemplate as = NotifyTemplate::json;
  std::vector<NotifyEvent> events{NotifyEvent::result};  ///< at least one

  friend bool operator==(const Notify&, const Notify&) = default;
};

/// debug: protocol traffic. info: what an operator counts. warn: coped with. error: a person
/// should look.
enum class LogLevel { debug, info, warn, error };
enum class LogFormat { text, json };
/// automatic: that of the locale.
enum class LogLanguage { automatic, english, japanese };

struct Log {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  LogLanguage language = LogLanguage::automatic;
  std::string file;                       ///< empty: standard error
  std::uint64_t rotate_bytes = 10'000'000;  ///< 0: never
  int rotate_keep = 5;
};

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schema/declare.hpp"

namespace kakehashi::config {

inline void declare(SettingsOf<Stop> stop) {
  using enum Level;
  using namespace std::chrono_literals;
  stop.duration("drain_limit", &Stop::drain_limit, 0s, 24h, common,
      {"How long the running game may go on after the first SIGTERM or SIGINT; then it is resigned on our turn. "
       "Stay below the time that your supervisor grants (TimeoutStopSec). 0s: it is played to its end.",
       "最初の SIGTERM か SIGINT のあと、対局を続けてよい時間。過ぎれば自分の手番で投了する。systemd や Docker が"
       "待つ時間(TimeoutStopSec)より短くする。0s は最後まで指す。"});
}

/// Of one item of notify.
inline void declare_recipient(SettingsOf<Notify> recipient) {
  using enum Level;
  recipient.text("url_file", &Notify::url_file, judge_path, any_path, common,
      {"The file that holds the webhook's address. Whoever knows the address can write there, so it has a file of its "
       "own. An item has either this or a command.",
       "ウェブフックのアドレスを書いたファイル。アドレスを知る人は誰でも書き込めるので、専用のファイルに置く。項目に書く"
       "のは、これか command のどちらか一方。"});
  recipient.command("command", &Notify::command, common,
      {"The program that is started for each message, and its arguments. It gets JSON on its standard input; no shell is "
       "involved.",
       "メッセージごとに起動するプログラムと引数。標準入力に JSON を渡す。シェルは通さない。"},
      {}, 64);
  recipient.choice("template", &Notify::as, {"discord", "slack", "json", "text"}, common,
      {"The form of a message to a webhook.", "ウェブフックに送るメッセージの形。"});
  Key& events = recipient.choices("events", &Notify::events,
      {"paired", "started", "result", "rescue", "no_game", "disconnected"}, common,
      {"What this recipient is notified of.", "何が起きたら、この受け手に知らせるか。"});
  std::get<ChoicesKey>(events.shape).takes_repeated = true;
}

inline void declare(SettingsOf<Log> log) {
  using enum Level;
  log.choice("level", &Log::level, {"debug", "info", "warn", "error"}, basic,
      {"The least weight of what is logged; debug shows every protocol line, passwords masked.",
       "記録する最低の重さ。debug は両プロトコルの全行(パスワードは伏せる)。"});
  log.choice("format", &Log::format, {"text", "json"}, common,
      {"Lines for people, or one JSON object a line.", "人のための行か、1 行に 1 つの JSON。"});
  log.choice("language", &Log::language, {"auto", "en", "ja"}, common,
      {"The language of its sentences, of notifications and of systemd's status line; auto: Japanese where the locale "
       "(LC_ALL, LC_MESSAGES or LANG) is Japanese, else English. Codes and fields are the same in both.",
       "ログの文、通知、systemd の状態の行の言語。auto ではロケール(LC_ALL、LC_MESSAGES、LANG)が日本語なら日本語、"
       "そうでなければ英語。コードとフィールドはどちらでも同じ。"});
  log.text("file", &Log::file, judge_path, any_path, common,
      {"Where the log goes; several bots may name one file.",
       "ログの行き先。複数のボットが 1 つのファイルを使ってよい。"},
      {"standard error", "標準エラー"});
  log.size("rotate_bytes", &Log::rotate_bytes, 10'000, 100'000'000'000, expert,
      {"At this size a new file is begun; 0: never.", "この大きさで新しいファイルを始める。0 なら始めない。"});
  log.whole("rotate_keep", &Log::rotate_keep, 1, 1000, expert,
      {"How many old files are kept.", "残す古いファイルの数。"});
}

}  // namespace kakehashi::config
#endif
