// The words that our users know; spdlog's own have "warning".
#define SPDLOG_LEVEL_NAMES {"trace", "debug", "info", "warn", "error", "critical", "off"}

#include "daemon/log_sink.hpp"

#include <fmt/chrono.h>
#include <poll.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "base/io/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "words/words.hpp"

namespace kakehashi::daemon {
namespace {

namespace level = spdlog::level;
using spdlog::details::log_msg;

level::level_enum in_spdlog(bridge::Level level) {
  switch (level) {
    case bridge::Level::debug: return level::debug;
    case bridge::Level::info: return level::info;
    case bridge::Level::warn: return level::warn;
    case bridge::Level::error: return level::err;
  }
  return level::err;
}

/// A line, but for its time and level in the form for people, which are the pattern's. What both protocols say is never
/// put in other words.
std::string composed(const LogLine& line, LogLook look) {
  const auto language = line.code == traffic_code ? words::Language::english : look.language;
  return look.format == config::LogFormat::json ? format_json(line, language) : format_text(line, language);
}

std::unique_ptr<spdlog::formatter> formatter_of(LogLook look) {
  return std::make_unique<spdlog::pattern_formatter>(
      look.format == config::LogFormat::json ? "%v" : "%Y-%m-%d %H:%M:%S.%e %-5l %v");
}

/// What the log has to say of itself.
log_msg own_message(bridge::Level level, const std::string& composed) {
  return {spdlog::log_clock::now(), spdlog::source_loc{}, "", in_spdlog(level), composed};
}

std::string own_words(bridge::Level level, std::string_view code, base::Message text, LogLook look) {
  LogLine line;
  line.time = std::chrono::floor<base::Millis>(std::chrono::system_clock::now());
  line.level = level;
  line.code = code;
  line.text = std::move(text);
  return composed(line, look);
}

/// Of one thread: the one that writes.
class LineSink : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit LineSink(LogLook look) : base_sink(formatter_of(look)) {}

 protected:
  virtual void write(std::string_view line) = 0;
  [[nodiscard]] std::string formatted(const log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    return {line.data(), line.size()};
  }

 private:
  void sink_it_(const log_msg& message) final { write(formatted(message)); }
  void flush_() final {}
};

/// A pipe that others write to too, or a terminal: written in pieces that it takes without waiting, so
/// that a reader who has stopped reading can be left.
class DescriptorSink : public LineSink {
 public:
  /// Waits for a reader until `is_to_leave` says otherwise.
  DescriptorSink(int descriptor, LogLook look, std::function<bool()> is_to_leave)
      : LineSink(look), descriptor_(descriptor), is_to_leave_(std::move(is_to_leave)) {}

 private:
  void write(std::string_view line) override {
    const std::string text = (is_torn_ ? "\n" : "") + std::string(line);
    std::size_t done = 0;
    while (done < text.size()) {
      // A descriptor that polls as writable takes this much without waiting (PIPE_BUF).
      constexpr std::size_t piece_bytes = 4096;
      constexpr int look_up_ms = 100;
      pollfd waiting{descriptor_, POLLOUT, 0};
      const int ready = ::poll(&waiting, 1, look_up_ms);
      if ((ready == 0 || (ready < 0 && errno == EINTR)) && !is_to_leave_()) {
        continue;
      }
      if (ready != 1 || (waiting.revents & POLLOUT) == 0) {
        break;
      }
      const auto count = ::write(descriptor_, text.data() + done, std::min(piece_bytes, text.size() - done));
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
        continue;
      }
      if (count <= 0) {
        break;
      }
      done += static_cast<std::size_t>(count);
    }
    is_torn_ = done == 0 ? is_torn_ : done < text.size();
  }

  int descriptor_;
  std::function<bool()> is_to_leave_;
  bool is_torn_ = false;  ///< the last line stopped in the middle
};

class FileSink : public LineSink {
 public:
  FileSink(const config::Log& settings, LogLook look)
      : LineSink(look),
        file_(settings.file, {static_cast<std::size_t>(settings.rotate_bytes), settings.rotate_keep},
              [this, look](std::string_view code, base::Message text) {
                return formatted(own_message(bridge::Level::warn, own_words(bridge::Level::warn, code, std::move(text), look)));
              }) {}

  /// Why it is not open; empty when it is.
  [[nodiscard]] const base::Message& trouble() const { return file_.trouble(); }
  [[nodiscard]] bool has_its_name() const { return file_.has_its_name(); }

 private:
  void write(std::string_view line) override { file_.write(line); }

  base::io::RotatingFile file_;
};

LogLook look_of(const config::Log& settings) { return {settings.format, language_of(settings)}; }

/// "sentence" and, where it has some, "parts".
void put_parts(boost::json::object& json, const base::Message& message) {
  json["sentence"] = message.sentence();
  if (message.parts().empty()) {
    return;
  }
  boost::json::array parts;
  for (const base::Message::Part& part : message.parts()) {
    const auto* number = std::get_if<std::int64_t>(&part.value);
    const auto* nested = std::get_if<base::Message>(&part.value);
    if (number != nullptr) {
      parts.emplace_back(*number);
    } else if (nested != nullptr && !nested->parts().empty()) {
      put_parts(parts.emplace_back(boost::json::object()).get_object(), *nested);
    } else {
      parts.emplace_back(base::utf8_for_json(part.plain()));
    }
  }
  json["parts"] = std::move(parts);
}

}  // namespace

std::string format_text(const LogLine& line, words::Language language) {
  std::string out;
  if (!line.bot.empty()) {
    out += '[';
    out += line.bot;
    out += "] ";
  }
  if (line.code != traffic_code) {
    out += line.code;
    out += ": ";
  }
  const std::string said = words::in(language, line.text);
  const std::string_view text = said;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = base::utf8_at(text, at);
    const auto bytes = text.substr(at, character ? character->length_bytes : 1);
    if (character && base::is_shown(character->code)) {
      out += bytes;
    } else {
      for (const char byte : bytes) {
        out += fmt::format("\\x{:02X}", static_cast<unsigned char>(byte));
      }
    }
    at += bytes.size();
  }
  return out;
}

std::string format_json(const LogLine& line, words::Language language) {
  const auto millis = (line.time - std::chrono::floor<std::chrono::seconds>(line.time)).count();
  boost::json::object json{{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", base::calendar(line.time), millis)},
                           {"level", bridge::describe(line.level)}};
  if (!line.bot.empty()) {
    json["bot"] = base::utf8_for_json(line.bot);
  }
  json["code"] = line.code;
  json["text"] = base::utf8_for_json(words::in(language, line.text));
  if (line.code != traffic_code) {
    put_parts(json, line.text);
  }
  if (line.fields != nullptr && !line.fields->empty()) {
    boost::json::object fields;
    for (const auto& [name, value] : *line.fields) {
      fields[name] = base::utf8_for_json(value);
    }
    json["fields"] = std::move(fields);
  }
  return base::shown(boost::json::serialize(json));  // it is read on terminals, too
}

words::Language language_of(const config::Log& settings) {
  switch (settings.language) {
    case config::LogLanguage::english: return words::Language::english;
    case config::LogLanguage::japanese: return words::Language::japanese;
    case config::LogLanguage::automatic: break;
  }
  return words::language_of_locale(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"), std::getenv("LANG"));
}

/// Between the loop's logger and the sink of the thread that writes. It is no spdlog::async_logger, whose queue keeps
/// room for all its lines from the start, is bounded by their number whatever their length, drops the oldest, and is
/// joined at the end however long a disk stands still.
class LogSink::Queue : public spdlog::sinks::sink, public std::enable_shared_from_this<Queue> {
 public:
  Queue(std::optional<config::Log> settings, int descriptor, LogLook look)
      : settings_(std::move(settings)), look_(look), out_(descriptor, look, [this] { return is_to_leave(); }) {}

  void start() {
    // Signals are the loop's business, and a write that fails is an error of that write.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    has_thread_ = true;
    try {
      std::thread([self = shared_from_this()] { self->run(); }).detach();
    } catch (const std::system_error&) {
      has_thread_ = false;
      open();  // the system gives no thread: each line is written at once
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void log(const log_msg& message) override {
    if (!has_thread_) {
      write(message);
      return;
    }
    const std::scoped_lock lock(mutex_);
    if (bytes_ + message.payload.size() > waiting_bytes_max) {
      ++lost_;
      return;
    }
    if (lost_ > 0) {
      add(own_message(bridge::Level::warn, own_words(bridge::Level::warn, "log_lines_lost",
                                             base::say("{} log lines were lost: nobody took them in time", std::exchange(lost_, 0)),
                                             look_)));
    }
    add(message);
  }

  void reopen() {
    if (!has_thread_) {
      open();
      return;
    }
    const std::scoped_lock lock(mutex_);
    lines_.emplace_back();  // stands for it
    changed_.notify_all();
  }

  void drain(bool is_last) {
    std::unique_lock lock(mutex_);
    is_closing_ = is_closing_ || is_last;
    leave_by_ = std::chrono::steady_clock::now() + flush_max;
    changed_.notify_all();
    changed_.wait_until(lock, leave_by_,
                        [this] { return !has_thread_ || (is_closing_ ? is_done_ : lines_.empty() && !is_writing_); });
  }

  // What a line looks like is the business of the sinks behind it.
  void flush() override {}
  void set_pattern(const std::string& /*pattern*/) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter> /*formatter*/) override {}

 private:
  struct Waiting {
    spdlog::log_clock::time_point time{};
    level::level_enum level = level::off;
    std::string text{};  ///< empty: the file is to be opened anew
  };

  void add(const log_msg& message) {
    bytes_ += message.payload.size();
    lines_.push_back({message.time, message.level, std::string(message.payload.data(), message.payload.size())});
    if (lines_.size() == 1) {
      changed_.notify_all();
    }
  }

  void run() {
    open();
    std::unique_lock lock(mutex_);
    for (;;) {
      is_writing_ = false;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_closing_ || !lines_.empty(); });
      if (lines_.empty()) {
        file_.reset();  // free for another writer when drain() returns
        is_done_ = true;
        changed_.notify_all();
        return;
      }
      const Waiting line = std::move(lines_.front());
      lines_.pop_front();
      bytes_ -= line.text.size();
      is_writing_ = true;
      lock.unlock();
      if (line.text.empty()) {
        open();
      } else {
        write({line.time, spdlog::source_loc{}, "", line.level, line.text});
      }
      lock.lock();
    }
  }

  void write(const log_msg& message) {
    try {
      if (file_) {
        file_->log(message);
      } else {
        out_.log(message);
      }
    } catch (const std::exception&) {
      // Out of memory: the line is lost, the program goes on.
    }
  }

  [[nodiscard]] bool is_to_leave() {
    const std::scoped_lock lock(mutex_);
    return !has_thread_ || (is_closing_ && std::chrono::steady_clock::now() >= leave_by_);
  }

  /// A file that is open already is only left for one that can be opened.
  void open() {
    if (!settings_ || (file_ && file_->has_its_name())) {
      return;
    }
    auto file = std::make_unique<FileSink>(*settings_, look_);
    if (file->trouble().empty()) {
      file_ = std::move(file);
      return;
    }
    auto text = base::say("cannot open {} (log.file): {}; {}", base::quoted(settings_->file), file->trouble(),
                          file_ ? base::say("logging to the file as before") : base::say("logging to standard error"));
    write(own_message(bridge::Level::error, own_words(bridge::Level::error, "log_file_failed", std::move(text), look_)));
  }

  // Of the thread, when it has begun.
  const std::optional<config::Log> settings_;  ///< nothing: to the descriptor
  const LogLook look_;
  std::unique_ptr<FileSink> file_;
  DescriptorSink out_;

  bool has_thread_ = false;  ///< decided before anything is pushed
  std::mutex mutex_;  ///< guards all below
  std::condition_variable changed_;
  std::deque<Waiting> lines_;
  std::size_t bytes_ = 0;
  std::uint64_t lost_ = 0;
  bool is_writing_ = true;  ///< the file is opened first
  bool is_closing_ = false;
  bool is_done_ = false;
  std::chrono::steady_clock::time_point leave_by_;
};

LogSink::LogSink(const config::Log& settings)
    : LogSink(std::make_shared<Queue>(settings.file.empty() ? std::nullopt : std::optional(settings), STDERR_FILENO,
                                      look_of(settings)),
              settings.level, look_of(settings)) {}

LogSink::LogSink(int descriptor, config::LogLevel level, config::LogFormat format)
    : LogSink(std::make_shared<Queue>(std::nullopt, descriptor, LogLook{format, words::Language::english}), level,
              {format, words::Language::english}) {}

LogSink::LogSink(std::shared_ptr<Queue> queue, bridge::Level lowest, LogLook look)
    : look_(look), queue_(std::move(queue)), logger_(std::make_unique<spdlog::logger>("", queue_)) {
  logger_->set_level(in_spdlog(lowest));
  logger_->set_error_handler([](const std::string&) {});  // out of memory: the line is lost, the program goes on
  queue_->start();
}

LogSink::~LogSink() { queue_->drain(true); }

bool LogSink::shows(bridge::Level level) const { return logger_->should_log(in_spdlog(level)); }

void LogSink::write(const LogLine& line) noexcept {
  if (!shows(line.level)) {
    return;
  }
  try {
    logger_->log(line.time, spdlog::source_loc{}, in_spdlog(line.level), composed(line, look_));
  } catch (const std::exception&) {
    // As above.
  }
}

void LogSink::reopen() noexcept {
  try {
    queue_->reopen();
  } catch (const std::exception&) {
    // As in write().
  }
}

void LogSink::flush() noexcept { queue_->drain(false); }

void LogSink::note(base::WallTime time, std::string_view bot, const bridge::Note& note) noexcept {
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
  if (!shows(bridge::Level::debug)) {
    return;
  }
  try {
    LogLine line;
    line.time = time;
    line.level = bridge::Level::debug;
    line.bot = bot;
    line.code = traffic_code;
    line.text = base::verbatim(std::string(way) + " " + base::quote_for_log(text, traffic_bytes_max));
    write(line);
  } catch (const std::exception&) {
    // As in write().
  }
}

}  // namespace kakehashi::daemon
