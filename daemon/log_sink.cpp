#include "daemon/log_sink.hpp"

#include <fmt/chrono.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <variant>

#include "base/io/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace kakehashi::daemon {
namespace {

/// A line without its time and level in the form for people. What both protocols say is never put in other words.
std::string composed(const LogLine& line, LogLook look) {
  const auto language = line.code == traffic_code ? words::Language::english : look.language;
  return look.format == config::LogFormat::json ? format_json(line, language) : format_text(line, language);
}

struct Waiting {
  base::WallTime time{};
  bridge::Level level = bridge::Level::info;
  std::string text{};  ///< empty: the file is to be opened anew
};

/// As it stands in the log: people get it with the time of their zone.
std::string whole_line(const Waiting& line, LogLook look) {
  if (look.format == config::LogFormat::json) {
    return line.text + "\n";
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(line.time);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} {:<5} {}\n", fmt::localtime(std::chrono::system_clock::to_time_t(seconds)),
                     (line.time - seconds).count(), bridge::describe(line.level), line.text);
}

/// What the log has to say of itself.
Waiting own_words(bridge::Level level, std::string_view code, base::Message text, LogLook look) {
  const auto now = std::chrono::floor<base::Millis>(std::chrono::system_clock::now());
  return {now, level, composed({.time = now, .level = level, .code = code, .text = std::move(text)}, look)};
}

/// A pipe that others write to too, or a terminal: written in pieces that it takes without waiting, so
/// that a reader who has stopped reading can be left.
class Descriptor {
 public:
  /// Waits for a reader until `is_to_leave` says otherwise.
  Descriptor(int descriptor, std::function<bool()> is_to_leave)
      : descriptor_(descriptor), is_to_leave_(std::move(is_to_leave)) {}

  void write(std::string_view line) {
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

 private:
  int descriptor_;
  std::function<bool()> is_to_leave_;
  bool is_torn_ = false;  ///< the last line stopped in the middle
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

/// Between the loop and the thread that writes: bounded by its bytes, and left where a disk stands still at the end.
class LogSink::Queue : public std::enable_shared_from_this<Queue> {
 public:
  Queue(std::optional<config::Log> settings, int descriptor, LogLook look)
      : settings_(std::move(settings)), look_(look), out_(descriptor, [this] { return is_to_leave(); }) {}

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

  void push(Waiting line) {
    if (!has_thread_) {
      write(line);
      return;
    }
    const std::scoped_lock lock(mutex_);
    if (bytes_ + line.text.size() > waiting_bytes_max) {
      ++lost_;
      return;
    }
    if (lost_ > 0) {
      add(own_words(bridge::Level::warn, "log_lines_lost",
                    base::say("{} log lines were lost: nobody took them in time", std::exchange(lost_, 0)), look_));
    }
    add(std::move(line));
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

 private:
  void add(Waiting line) {
    bytes_ += line.text.size();
    lines_.push_back(std::move(line));
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
        write(line);
      }
      lock.lock();
    }
  }

  void write(const Waiting& line) {
    try {
      const std::string text = whole_line(line, look_);
      if (file_) {
        file_->write(text);
      } else {
        out_.write(text);
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
    auto file = std::make_unique<base::io::RotatingFile>(
        settings_->file, base::io::RotatingFile::Limits{static_cast<std::size_t>(settings_->rotate_bytes), settings_->rotate_keep},
        [look = look_](std::string_view code, base::Message text) {
          return whole_line(own_words(bridge::Level::warn, code, std::move(text), look), look);
        });
    if (file->trouble().empty()) {
      file_ = std::move(file);
      return;
    }
    auto text = base::say("cannot open {} (log.file): {}; {}", base::quoted(settings_->file), file->trouble(),
                          file_ ? base::say("logging to the file as before") : base::say("logging to standard error"));
    write(own_words(bridge::Level::error, "log_file_failed", std::move(text), look_));
  }

  // Of the thread, when it has begun.
  const std::optional<config::Log> settings_;  ///< nothing: to the descriptor
  const LogLook look_;
  std::unique_ptr<base::io::RotatingFile> file_;
  Descriptor out_;

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
    : look_(look), lowest_(lowest), queue_(std::move(queue)) {
  queue_->start();
}

LogSink::~LogSink() { queue_->drain(true); }

bool LogSink::shows(bridge::Level level) const { return level >= lowest_; }

void LogSink::write(const LogLine& line) noexcept {
  if (!shows(line.level)) {
    return;
  }
  try {
    queue_->push({line.time, line.level, composed(line, look_)});
  } catch (const std::exception&) {
    // Out of memory: the line is lost, the program goes on.
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
  write({time, note.level, bot, note.code, note.text, &note.fields});
}

void LogSink::traffic(base::WallTime time, std::string_view bot, std::string_view way,
                      std::string_view text) noexcept {
  if (!shows(bridge::Level::debug)) {
    return;
  }
  try {
    write({time, bridge::Level::debug, bot, traffic_code,
           base::verbatim(std::string(way) + " " + base::quote_for_log(text, traffic_bytes_max))});
  } catch (const std::exception&) {
    // As in write().
  }
}

}  // namespace kakehashi::daemon
