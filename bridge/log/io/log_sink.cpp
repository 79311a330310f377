#include "bridge/log/io/log_sink.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "base/io/file.hpp"
#include "base/text.hpp"
#include "bridge/words/words.hpp"

namespace kakehashi::bridge::io {
namespace {

/// A pipe that others write to too, or a terminal: written in pieces that it takes without waiting, so
/// that a reader who has stopped reading can be left.
class DescriptorSink {
 public:
  explicit DescriptorSink(int descriptor) : descriptor_(descriptor) {}

  /// Waits for a reader until `is_to_leave` says otherwise.
  void write(std::string_view line, const std::function<bool()>& is_to_leave) {
    const std::string text = (is_torn_ ? "\n" : "") + std::string(line);
    std::size_t done = 0;
    while (done < text.size()) {
      // A descriptor that polls as writable takes this much without waiting (PIPE_BUF).
      constexpr std::size_t piece_bytes = 4096;
      constexpr int look_up_ms = 100;
      pollfd waiting{descriptor_, POLLOUT, 0};
      const int ready = ::poll(&waiting, 1, look_up_ms);
      if ((ready == 0 || (ready < 0 && errno == EINTR)) && !is_to_leave()) {
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
  bool is_torn_ = false;  ///< the last line stopped in the middle
};

base::Seconds utc_offset_at(base::WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  return ::localtime_r(&seconds, &local) == nullptr ? base::Seconds{0}
                                                    : base::Seconds{local.tm_gmtoff};
}

/// What both protocols say is never put in other words.
std::string formatted(LogLine line, LogLook look) {
  const std::string text = line.code == traffic_code ? std::string(line.text) : words::in(look.language, line.text);
  line.text = text;
  return (look.format == config::LogFormat::json ? format_json(line) : format_text(line, utc_offset_at(line.time))) +
         '\n';
}

LogLook look_of(const config::Log& settings) { return {settings.format, language_of(settings)}; }

}  // namespace

words::Language language_of(const config::Log& settings) {
  switch (settings.language) {
    case config::LogLanguage::english: return words::Language::english;
    case config::LogLanguage::japanese: return words::Language::japanese;
    case config::LogLanguage::automatic: break;
  }
  return words::language_of_locale(std::getenv("LC_ALL"), std::getenv("LC_MESSAGES"), std::getenv("LANG"));
}

/// What the loop hands over and the thread works off.
class LogSink::Queue : public std::enable_shared_from_this<Queue> {
 public:
  Queue(std::optional<config::Log> settings, int descriptor, LogLook look)
      : settings_(std::move(settings)), look_(look), out_(descriptor) {}

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

  void push(std::string line) {
    if (!has_thread_) {
      write(line);
      return;
    }
    const std::scoped_lock lock(mutex_);
    if (bytes_ + line.size() > waiting_bytes_max) {
      ++lost_;
      return;
    }
    if (lost_ > 0) {
      line = words::in(look_.language, "(" + std::to_string(std::exchange(lost_, 0)) +
                                           " log lines were lost: nobody took them in time)") +
             "\n" + line;
    }
    bytes_ += line.size();
    lines_.push_back(std::move(line));
    if (lines_.size() == 1) {
      changed_.notify_all();
    }
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

  void flush(bool is_last) {
    std::unique_lock lock(mutex_);
    is_closing_ = is_closing_ || is_last;
    leave_by_ = std::chrono::steady_clock::now() + flush_max;
    changed_.notify_all();
    changed_.wait_until(lock, leave_by_,
                        [this] { return !has_thread_ || (is_closing_ ? is_done_ : lines_.empty() && !is_writing_); });
  }

 private:
  void run() {
    open();
    std::unique_lock lock(mutex_);
    for (;;) {
      is_writing_ = false;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_closing_ || !lines_.empty(); });
      if (lines_.empty()) {
        file_.reset();  // free for another writer when flush() returns
        is_done_ = true;
        changed_.notify_all();
        return;
      }
      std::string line = std::move(lines_.front());
      lines_.pop_front();
      bytes_ -= line.size();
      is_writing_ = true;
      lock.unlock();
      if (line.empty()) {
        open();
      } else {
        write(line);
      }
      lock.lock();
    }
  }

  void write(const std::string& line) {
    if (file_) {
      file_->write(line);
    } else {
      out_.write(line, [this] {
        const std::scoped_lock lock(mutex_);
        return !has_thread_ || (is_closing_ && std::chrono::steady_clock::now() >= leave_by_);
      });
    }
  }

  /// A file that is open already is only left for one that can be opened.
  void open() {
    if (!settings_ || (file_ && file_->has_its_name())) {
      return;
    }
    base::io::RotatingFile file(settings_->file, {static_cast<std::size_t>(settings_->rotate_bytes), settings_->rotate_keep});
    if (file.trouble().empty()) {
      file_.emplace(std::move(file));
      return;
    }
    const std::string text = "cannot open " + base::quote_for_log(settings_->file) + " (log.file): " +
                             file.trouble() +
                             (file_ ? "; logging to the file as before" : "; logging to standard error");
    LogLine line;
    line.time = std::chrono::floor<base::Millis>(std::chrono::system_clock::now());
    line.level = Level::error;
    line.code = "log_file_failed";
    line.text = text;
    write(formatted(line, look_));
  }

  // Of the thread, when it has begun.
  const std::optional<config::Log> settings_;  ///< nothing: to the descriptor
  const LogLook look_;
  std::optional<base::io::RotatingFile> file_;
  DescriptorSink out_;

  bool has_thread_ = false;  ///< decided before anything is pushed
  std::mutex mutex_;  ///< guards all below
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
  std::uint64_t lost_ = 0;
  bool is_writing_ = true;  ///< the file is opened first
  bool is_closing_ = false;
  bool is_done_ = false;
  std::chrono::steady_clock::time_point leave_by_;
};

LogSink::LogSink(const config::Log& settings)
    : lowest_(settings.level),
      look_(look_of(settings)),
      queue_(std::make_shared<Queue>(settings.file.empty() ? std::nullopt : std::optional(settings),
                                     STDERR_FILENO, look_)) {
  queue_->start();
}

LogSink::LogSink(int descriptor, config::LogLevel level, config::LogFormat format)
    : lowest_(level),
      look_{format, words::Language::english},
      queue_(std::make_shared<Queue>(std::nullopt, descriptor, look_)) {
  queue_->start();
}

LogSink::~LogSink() { queue_->flush(true); }

bool LogSink::shows(Level level) const { return level >= lowest_; }

void LogSink::write(const LogLine& line) noexcept {
  if (!shows(line.level)) {
    return;
  }
  try {
    queue_->push(formatted(line, look_));
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

void LogSink::flush() noexcept { queue_->flush(false); }

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

}  // namespace kakehashi::bridge::io
