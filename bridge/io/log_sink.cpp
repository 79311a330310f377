#include "bridge/io/log_sink.hpp"

#include <poll.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "bridge/io/rotating_file.hpp"

namespace kakehashi::bridge::io {
namespace {

/// Writes to a descriptor only what it takes at once. A pipe whose reader has stopped would
/// otherwise hold the whole program, and with it the game, at a log line.
class DescriptorSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::string text = is_torn_ ? "\n" : "";
    if (lost_ > 0) {
      text += "(" + std::to_string(lost_) + " log lines were lost: nobody read them in time)\n";
    }
    text.append(message.payload.data(), message.payload.size());
    text += '\n';
    const auto written = write_at_once(text);
    if (written == 0) {
      ++lost_;
      return;
    }
    lost_ = 0;
    is_torn_ = written < text.size();
  }

  void flush_() override {}

 private:
  std::size_t write_at_once(std::string_view text) const {
    // A descriptor that polls as writable takes this much without waiting (PIPE_BUF).
    constexpr std::size_t piece_bytes = 4096;
    std::size_t done = 0;
    while (done < text.size()) {
      pollfd waiting{descriptor_, POLLOUT, 0};
      if (::poll(&waiting, 1, 0) != 1 || (waiting.revents & POLLOUT) == 0) {
        break;
      }
      const auto wanted = std::min(piece_bytes, text.size() - done);
      const auto count = ::write(descriptor_, text.data() + done, wanted);
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        break;
      }
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  int descriptor_;
  std::uint64_t lost_ = 0;
  bool is_torn_ = false;  ///< the last line stopped in the middle
};

class FileSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit FileSink(RotatingFile file) : file_(std::move(file)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    file_.write(std::string(message.payload.data(), message.payload.size()) + '\n');
  }
  void flush_() override {}

 private:
  RotatingFile file_;
};

base::Seconds utc_offset_at(base::WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  return ::localtime_r(&seconds, &local) == nullptr ? base::Seconds{0}
                                                    : base::Seconds{local.tm_gmtoff};
}

Level lowest_shown(config::LogLevel level) {
  switch (level) {
    case config::LogLevel::debug: return Level::debug;
    case config::LogLevel::info: return Level::info;
    case config::LogLevel::warn: return Level::warn;
    case config::LogLevel::error: return Level::error;
  }
  return Level::debug;
}

}  // namespace

struct LogSink::Output {
  Output(spdlog::sink_ptr sink, config::LogLevel level, config::LogFormat wanted_format)
      : logger("kakehashi", std::move(sink)), lowest(lowest_shown(level)), format(wanted_format) {
    // The line is complete: spdlog only carries it, and a file shows it at once.
    logger.set_pattern("%v");
    logger.set_level(spdlog::level::trace);
    logger.flush_on(spdlog::level::trace);
    // A disk that is full is no reason to speak up on standard error with each line.
    logger.set_error_handler([](const std::string&) {});
  }

  spdlog::logger logger;
  Level lowest;
  config::LogFormat format;
  std::string trouble;
};

LogSink::LogSink(const config::Log& settings) {
  if (!settings.file.empty()) {
    RotatingFile file(settings.file, {static_cast<std::size_t>(settings.rotate_bytes), settings.rotate_keep});
    if (file.is_open()) {
      output_ = std::make_unique<Output>(std::make_shared<FileSink>(std::move(file)), settings.level,
                                         settings.format);
      return;
    }
    const int error = errno;
    *this = LogSink(STDERR_FILENO, settings.level, settings.format);
    output_->trouble = "cannot open " + base::quote_for_log(settings.file) + " (log.file): " +
                       std::system_category().message(error) + "; logging to standard error";
    return;
  }
  *this = LogSink(STDERR_FILENO, settings.level, settings.format);
}

LogSink::LogSink(int descriptor, config::LogLevel level, config::LogFormat format)
    : output_(std::make_unique<Output>(std::make_shared<DescriptorSink>(descriptor), level,
                                       format)) {}

LogSink::~LogSink() = default;
LogSink::LogSink(LogSink&&) noexcept = default;
LogSink& LogSink::operator=(LogSink&&) noexcept = default;

bool LogSink::shows(Level level) const { return level >= output_->lowest; }

void LogSink::write(const LogLine& line) noexcept {
  if (!shows(line.level)) {
    return;
  }
  try {
    const auto text = output_->format == config::LogFormat::json
                          ? format_json(line)
                          : format_text(line, utc_offset_at(line.time));
    output_->logger.log(spdlog::level::info, std::string_view(text));
  } catch (const std::exception&) {
    // Out of memory, or a sink that failed: the line is lost, the program goes on.
  }
}

void LogSink::note(base::WallTime time, std::string_view bot, const Note& note) noexcept {
  LogLine line;
  line.time = time;
  line.level = note.level;
  line.bot = bot;
  line.code = note.code;
  line.text = note.text;
  line.fields = &note.fields;
  write(line);
}

void LogSink::traffic(base::WallTime time, std::string_view bot, std::string_view way,
                      std::string_view text) noexcept {
  if (!shows(Level::debug)) {
    return;
  }
  try {
    const auto shown = std::string(way) + " " + base::quote_for_log(text, traffic_bytes_max);
    LogLine line;
    line.time = time;
    line.level = Level::debug;
    line.bot = bot;
    line.code = traffic_code;
    line.text = shown;
    write(line);
  } catch (const std::exception&) {
    // As in write().
  }
}

const std::string& LogSink::trouble() const { return output_->trouble; }

}  // namespace kakehashi::bridge::io
