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

/// How a message is spelled for the one who takes it.
enum class NotifyTemplate { discord, slack, json, text };

/// What is told. `test`: a person tries whether it arrives; nobody asks for it otherwise, so that it has no word below.
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
  stop.duration("drain_limit", &Stop::drain_limit, 0s, 24h, common,
      say("How long the running game may go on after the first SIGTERM or SIGINT; then it is resigned on our turn. "
          "Stay below the time that your supervisor grants (TimeoutStopSec). 0s: it is played to its end."));
}

/// Of one item of notify.
inline void declare_recipient(SettingsOf<Notify> recipient) {
  recipient.text("url_file", &Notify::url_file, judge_path, any_path(), common,
      say("The file that holds the webhook's address. Whoever knows the address can write there, so it has a file of "
          "its own. An item has either this or a command."));
  recipient.command("command", &Notify::command, common,
      say("The program that is started for each message, and its arguments. It gets JSON on its standard input; no "
          "shell is involved."),
      {}, 64);
  recipient.choice("template", &Notify::as, {"discord", "slack", "json", "text"}, common,
      say("The form of a message to a webhook."));
  Key& events = recipient.choices("events", &Notify::events,
      {"paired", "started", "result", "rescue", "no_game", "disconnected"}, common,
      say("What this recipient is notified of."));
  std::get<ChoicesKey>(events.shape).takes_repeated = true;
}

inline void declare(SettingsOf<Log> log) {
  log.choice("level", &Log::level, {"debug", "info", "warn", "error"}, basic,
      say("The least weight of what is logged; debug shows every protocol line, passwords masked."));
  log.choice("format", &Log::format, {"text", "json"}, common,
      say("Lines for people, or one JSON object a line."));
  log.choice("language", &Log::language, {"auto", "en", "ja"}, common,
      say("The language of its sentences, of notifications and of systemd's status line; auto: Japanese where the "
          "locale (LC_ALL, LC_MESSAGES or LANG) is Japanese, else English. Codes and fields are the same in both."));
  log.text("file", &Log::file, judge_path, any_path(), common,
      say("Where the log goes; several bots may name one file."), say("standard error"));
  log.size("rotate_bytes", &Log::rotate_bytes, 10'000, 100'000'000'000, expert,
      say("At this size a new file is begun; 0: never."));
  log.whole("rotate_keep", &Log::rotate_keep, 1, 1000, expert,
      say("How many old files are kept."));
}

}  // namespace kakehashi::config
#endif
