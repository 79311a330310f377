// Where log lines go: standard error or a rotating file. Logging is a courtesy: it never throws, and
// neither a disk that stands still nor a reader that has stopped reading ever stops or delays a game: a
// thread of its own opens and writes, and lines wait for it in memory.
// It knows no bot and no message. How one line reads, for people or for machines, is said here too; that part is pure.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"
#include "config/service_config.hpp"
#include "words/words.hpp"

namespace kakehashi::daemon {

/// The code of every protocol line: its text says who spoke, "server < …", so the form for people
/// leaves the code out.
inline constexpr std::string_view traffic_code = "traffic";

struct LogLine {
  base::WallTime time{};
  bridge::Level level = bridge::Level::info;
  std::string_view bot{};  ///< empty: the program itself
  std::string_view code{};
  base::Message text{};
  const std::vector<std::pair<std::string, std::string>>* fields = nullptr;
};

/// In what form, and in whose words.
struct LogLook {
  config::LogFormat format = config::LogFormat::text;
  words::Language language = words::Language::english;
};

/// "[bot] game_started: …": what stands behind time and level in the form for people. Control bytes in the text are
/// escaped: one event is one line, whoever wrote the text.
[[nodiscard]] std::string format_text(const LogLine& line, words::Language language = words::Language::english);

/// {"time":"2026-11-21T03:04:05.678Z","level":"info","bot":"…","code":"…","text":"…","sentence":"…","parts":[…],"fields":{…}}
/// The sentence is English in every language, with {} for each part; a part that is a sentence itself, and has parts, is an
/// object of both.
/// Bytes that are not UTF-8 become U+FFFD, so that every line is valid JSON.
[[nodiscard]] std::string format_json(const LogLine& line, words::Language language = words::Language::english);

/// That of the settings; where they leave it open, that of the locale.
[[nodiscard]] words::Language language_of(const config::Log& settings);

class LogSink {
 public:
  /// To the file, if one is set; when it cannot be used, lines go to standard error, the first of them
  /// being "log_file_failed" with the reason.
  explicit LogSink(const config::Log& settings);
  /// Writes to an open descriptor, which stays the caller's, in English.
  LogSink(int descriptor, config::LogLevel level, config::LogFormat format);
  /// Lines that wait are written first, as flush() says.
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  /// Whether lines of that level are written at all; ask before making an expensive one.
  [[nodiscard]] bool shows(bridge::Level level) const;
  void write(const LogLine& line) noexcept;
  void note(base::WallTime time, std::string_view bot, const bridge::Note& note) noexcept;
  /// One protocol line, at debug: `way` is "server <", "engine >", …; the line is quoted, its
  /// control bytes escaped, and cut.
  void traffic(base::WallTime time, std::string_view bot, std::string_view way,
               std::string_view line) noexcept;

  /// Behind the lines so far, a file that was moved away, or could not be used, is opened anew.
  void reopen() noexcept;
  /// Waits until all lines so far are written, at most flush_max.
  void flush() noexcept;

  static constexpr std::size_t traffic_bytes_max = 2000;
  /// Lines that wait for a disk or a reader; of more the latest are lost, and counted.
  static constexpr std::size_t waiting_bytes_max = std::size_t{8} * 1024 * 1024;
  static constexpr base::Millis flush_max{3'000};

 private:
  class Queue;

  LogSink(std::shared_ptr<Queue> queue, bridge::Level lowest, LogLook look);

  LogLook look_;
  bridge::Level lowest_;
  std::shared_ptr<Queue> queue_;  ///< shared with its thread, which may be waiting for a disk for ever
};

}  // namespace kakehashi::daemon
