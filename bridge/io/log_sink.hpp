// Where log lines go: standard error or a rotating file. Logging is a courtesy: it never throws,
// and neither a full disk nor a reader that has stopped reading ever stops or delays a game.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bridge/io/log_line.hpp"
#include "bridge/note.hpp"
#include "config/bot_config.hpp"

namespace kakehashi::bridge::io {

class LogSink {
 public:
  /// Opens the file, if one is set; when it cannot be opened, lines go to standard error and
  /// trouble() says why.
  explicit LogSink(const config::Log& settings);
  /// Writes to an open descriptor, which stays the caller's.
  LogSink(int descriptor, config::LogLevel level, config::LogFormat format);
  ~LogSink();
  LogSink(LogSink&&) noexcept;
  LogSink& operator=(LogSink&&) noexcept;

  /// Whether lines of that level are written at all; ask before making an expensive one.
  [[nodiscard]] bool shows(Level level) const;
  void write(const LogLine& line) noexcept;
  void note(base::WallTime time, std::string_view bot, const Note& note) noexcept;
  /// One protocol line, at debug: `way` is "server <", "engine >", …; the line is quoted, its
  /// control bytes escaped, and cut.
  void traffic(base::WallTime time, std::string_view bot, std::string_view way,
               std::string_view line) noexcept;

  /// Why the configured file is not used; empty when all is well.
  [[nodiscard]] const std::string& trouble() const;

  static constexpr std::size_t traffic_bytes_max = 2000;

 private:
  struct Output;
  std::unique_ptr<Output> output_;
};

}  // namespace kakehashi::bridge::io
