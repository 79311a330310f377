#include "usi/io/engine_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <system_error>
#include <utility>

#include "base/io/intake.hpp"
#include "base/line_splitter.hpp"
#include "usi/engine_encoding.hpp"
#include "usi/output_sieve.hpp"

namespace kakehashi::usi::io {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t read_bytes_max = std::size_t{64} * 1024;  ///< as much as a pipe holds

/// One of the process's two output streams.
struct Stream {
  explicit Stream(asio::io_context& context)
      : pipe(context), splitter(EngineProcess::line_bytes_max), intake(read_bytes_max) {}

  asio::posix::stream_descriptor pipe;
  base::LineSplitter splitter;
  OutputSieve sieve;
  base::io::Intake intake;
  bool is_open = false;

  [[nodiscard]] base::io::Legacy::Stream* kept() const { return intake.stream(); }
};

}  // namespace

class EngineProcess::Run : public std::enable_shared_from_this<Run> {
 public:
  Run(asio::io_context& context, Callbacks callbacks)
      : callbacks_(std::move(callbacks)),
        stdout_(context),
        stderr_(context),
        stdin_(context),
        watch_(context),
        exec_status_(context),
        kill_timer_(context),
        drain_timer_(context) {}

  base::Message start(const SpawnRequest& request) {
    auto outcome = spawn(request);
    if (const auto* why = std::get_if<base::Message>(&outcome)) {
      return *why;
    }
    spawned_ = std::get<Spawned>(outcome);
    process_ = spawned_.process;
    request_ = request;
    if (const error_code failed = take(spawned_)) {
      drop();
      return base::say("cannot watch {}: {}", request.command.front(), base::system_words(failed.message()));
    }
    stdout_.is_open = stderr_.is_open = true;
    if (callbacks_.opened) {
      keep(callbacks_.opened(spawned_));
    }
    exec_status_.async_wait(asio::posix::stream_descriptor::wait_read,
                            [self = shared_from_this()](error_code failed) {
                              if (!failed) {
                                self->on_exec_known();
                              }
                            });
    watch();
    return {};
  }

  void adopt(const Spawned& engine, const Kept& kept) {
    spawned_ = engine;
    process_ = engine.process;
    is_adopted_ = true;
    stdout_.is_open = stderr_.is_open = true;
    keep(kept);
    if (take(spawned_)) {
      signal_group(SIGKILL);  // it is told like any other that has ended
    }
    asio::post(watch_.get_executor(), [self = shared_from_this()] {
      self->go_on(self->stdout_, self->callbacks_.line);
      self->go_on(self->stderr_, self->callbacks_.stderr_line);
    });
    watch();
  }

  [[nodiscard]] Told told() const { return told_; }

  [[nodiscard]] int process() const { return process_; }

  void write(std::string lines) {
    if (!stdin_.is_open()) {
      return;
    }
    std::size_t asked = 1;  // find() is quicker than count(): a position is long
    for (std::size_t end = 0; (end = lines.find('\n', end)) != std::string::npos; ++end) {
      ++asked;
    }
    stdout_.sieve.asked(asked);
    const std::size_t told = lines.size() + 1;
    queued_bytes_ += told;
    if (queued_bytes_ > queue_bytes_max) {
      signal_group(SIGKILL);
      return;
    }
    Waiting waiting{encoding_.told(std::move(lines)), told};
    waiting.bytes += '\n';
    if (queue_.empty() && stdout_.kept() != nullptr && write_at_once(waiting)) {
      return;
    }
    queue_.push_back(std::move(waiting));
    if (queue_.size() == 1) {
      write_front();
    }
  }

  void kill(base::Millis grace) {
    if (grace.count() <= 0) {
      signal_group(SIGKILL);
      return;
    }
    signal_group(SIGTERM);
    kill_timer_.expires_after(grace);
    kill_timer_.async_wait([self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->signal_group(SIGKILL);
      }
    });
  }

  /// Nobody listens any more.
  void drop() {
    is_dropped_ = true;
    signal_group(SIGKILL);
    bury();
    close_all();
  }

 private:
  void keep(const Kept& kept) {
    stdout_.intake.keep_in(kept.output);
    stderr_.intake.keep_in(kept.errors);
    is_kept_ = kept.output != nullptr;
  }

  void watch() {
    watch_.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->on_ended();
      }
    });
  }

  /// With what the process before this one had read, and then with what comes.
  template <class Callback>
  void go_on(Stream& stream, const Callback& tell) {
    std::string_view left = stream.kept() == nullptr ? "" : stream.kept()->left();
    while (!is_dropped_ && !left.empty()) {  // a line at a time: should one of them be deadly, it is known which
      const std::string_view line = left.substr(0, std::min(left.find('\n'), left.size() - 1) + 1);
      left.remove_prefix(line.size());
      deliver(stream, tell, line, left.size());
    }
    if (!is_dropped_ && stream.is_open) {
      read(stream, tell);
    }
  }

  /// What waits to be written, and how many bytes that was as it was told.
  struct Waiting { std::string bytes; std::size_t told = 0; };

  /// What the pipe takes without waiting; that it has taken all is noted at once: a process that follows this one asks.
  [[nodiscard]] bool write_at_once(Waiting& waiting) {
    stdout_.kept()->begin_write(waiting.told);
    const ssize_t written = ::write(stdin_.native_handle(), waiting.bytes.data(), waiting.bytes.size());
    if (written == static_cast<ssize_t>(waiting.bytes.size())) {
      have_written(waiting);
      return true;
    }
    waiting.bytes.erase(0, written > 0 ? static_cast<std::size_t>(written) : 0);
    return false;
  }
  void have_written(const Waiting& waiting) {
    queued_bytes_ -= waiting.told;
    if (stdout_.kept() != nullptr) {
      stdout_.kept()->end_write(waiting.told);
    }
  }

  /// Of the process' descriptors; what the system does not watch is closed. The first error.
  error_code take(const Spawned& spawned) {
    error_code first;
    const auto hold = [&first](asio::posix::stream_descriptor& stream, int descriptor) {
      error_code failed;
      stream.assign(descriptor, failed);
      if (failed) {
        ::close(descriptor);
        first = first ? first : failed;
      }
    };
    hold(stdin_, spawned.to_stdin);
    hold(stdout_.pipe, spawned.from_stdout);
    hold(stderr_.pipe, spawned.from_stderr);
    hold(watch_, spawned.pidfd);
    if (spawned.exec_status >= 0) {
      hold(exec_status_, spawned.exec_status);
    }
    if (!first) {
      stdin_.native_non_blocking(true, first);
    }
    return first;
  }

  void on_exec_known() {
    if (is_adopted_ || !exec_status_.is_open() || is_dropped_) {
      return;
    }
    base::Message why = exec_failure(spawned_, request_);
    error_code ignored;
    exec_status_.close(ignored);
    if (!why.empty()) {
      drop();
      if (callbacks_.failed) {
        callbacks_.failed(std::move(why));
      }
      return;
    }
    prefer_as_victim(process_);
    if (callbacks_.started) {
      callbacks_.started();
    }
    if (!is_dropped_) {
      read(stdout_, callbacks_.line);
      read(stderr_, callbacks_.stderr_line);
    }
  }

  void signal_group(int signal) {
    if (process_ > 0) {
      ::kill(-process_, signal);
    }
  }

  template <class Callback>
  void read(Stream& stream, const Callback& tell) {
    const auto room = stream.intake.room();
    stream.pipe.async_read_some(
        asio::buffer(room.data(), room.size()),
        [self = shared_from_this(), &stream, &tell](error_code failed, std::size_t bytes) {
          if (failed == asio::error::operation_aborted) {
            return;
          }
          if (failed) {
            self->on_stream_end(stream, tell);
            return;
          }
          self->deliver(stream, tell, stream.intake.take(bytes));
          if (stream.is_open) {
            self->read(stream, tell);
          }
        });
  }

  template <class Callback>
  void deliver(Stream& stream, const Callback& tell, std::string_view bytes, std::size_t bytes_behind = 0) {
    const std::uint64_t end = stream.intake.end() - bytes_behind;
    stream.intake.suspect(end);
    const auto fed = stream.splitter.feed(bytes);
    if (fed.trouble != base::LineSplitter::Trouble::none) {
      tell_odd(Oddity::line_too_long);
    }
    if (callbacks_.keeps_all) {
      tell_each(fed.lines, tell);
      return;
    }
    const auto sifted = stream.sieve.sift(fed.lines, std::chrono::steady_clock::now());
    if (sifted.dropped > 0) {
      tell_odd(Oddity::flood);
    }
    if (sifted.left_out > 0) {
      tell_odd(Oddity::babble);
    }
    const std::uint64_t from = end - bytes.size();
    for (std::size_t i = 0; i < sifted.lines.size() && !is_dropped_ && tell; ++i) {
      const std::size_t taken = sifted.taken[i];
      told_ = {stream.kept(), taken == 0 ? from : from + base::LineSplitter::end_of(fed.lines[taken - 1], bytes)};
      stream.intake.suspect(told_.position);
      tell(readable_of(tell, sifted.lines[i]), i + 1 < sifted.lines.size());
    }
    told_ = {};
    stream.intake.suspect(std::nullopt);
  }

  template <class Lines, class Callback>
  void tell_each(const Lines& lines, const Callback& tell) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!is_dropped_ && tell) {  // telling may end in drop()
        tell(readable_of(tell, std::string(lines[i])), i + 1 < lines.size());
      }
    }
  }

  template <class Callback>
  std::string readable_of(const Callback& tell, std::string line) {
    if (callbacks_.keeps_all) {
      return line;
    }
    return &tell == &callbacks_.line ? encoding_.heard(std::move(line)) : readable(std::move(line));
  }

  template <class Callback>
  void on_stream_end(Stream& stream, const Callback& tell) {
    stream.is_open = false;
    if (&stream == &stdout_ && process_ > 0 && !has_ended()) {
      tell_odd(Oddity::output_closed);
    }
    tell_each(stream.sieve.take_last_words(), tell);
    if (std::string rest = stream.splitter.take_unfinished();
        !rest.empty() && !is_dropped_ && tell) {
      tell_odd(Oddity::unfinished_line);
      tell(readable_of(tell, std::move(rest)), false);
    }
    tell_end_when_drained();
  }

  void tell_odd(Oddity oddity) {
    if (!is_dropped_ && callbacks_.odd) {
      callbacks_.odd(oddity);
    }
  }

  /// Whether the process has ended, reaped or not.
  [[nodiscard]] bool has_ended() const {
    pollfd ended{watch_.is_open() ? spawned_.pidfd : -1, POLLIN, 0};
    return ::poll(&ended, 1, 0) == 1;
  }

  void write_front() {
    if (stdout_.kept() != nullptr) {
      stdout_.kept()->begin_write(queue_.front().told);
    }
    asio::async_write(stdin_, asio::buffer(queue_.front().bytes),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed || self->queue_.empty()) {
                          self->close_stdin();
                          return;
                        }
                        self->have_written(self->queue_.front());
                        self->queue_.pop_front();
                        if (!self->queue_.empty()) {
                          self->write_front();
                        }
                      });
  }

  void close_stdin() {
    error_code ignored;
    stdin_.close(ignored);
    queue_.clear();
    queued_bytes_ = 0;
  }

  void on_ended() {
    on_exec_known();
    if (is_dropped_) {
      return;
    }
    // Its children go with it. The group's number is still taken by the unreaped process, so this
    // cannot hit a stranger.
    const pid_t group = process_;
    signal_group(SIGKILL);
    reap();
    if (process_ <= 0 && ::kill(-group, 0) == 0) {
      tell_odd(Oddity::children_left);
    }
    // A descendant that left the group and holds the pipes open must not hold up the news.
    drain_timer_.expires_after(drain_max);
    drain_timer_.async_wait([self = shared_from_this()](error_code failed) {
      if (!failed) {
        self->reap();
        if (self->process_ > 0) {
          self->end_ = ProcessEnd{ProcessEnd::How::unknown, 0};
          self->bury();
        }
        self->stdout_.is_open = self->stderr_.is_open = false;
        self->tell_end_when_drained();
      }
    });
    tell_end_when_drained();
  }

  /// Whatever is left of it is nobody's business here any more.
  void bury() {
    if (process_ > 0) {
      reap_in_background(std::exchange(process_, -1));
    }
  }

  void reap() {
    if (process_ <= 0) {
      return;
    }
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG) == 0 &&
        info.si_pid == process_) {
      end_ = ProcessEnd{info.si_code == CLD_EXITED ? ProcessEnd::How::exited : ProcessEnd::How::killed, info.si_status};
      process_ = -1;
    } else if (is_adopted_ && has_ended()) {
      end_ = ProcessEnd{ProcessEnd::How::unknown, 0};  // the holder has taken how
      process_ = -1;
    }
  }

  void tell_end_when_drained() {
    if (!end_ || stdout_.is_open || stderr_.is_open || is_dropped_) {
      return;
    }
    const ProcessEnd end = *std::exchange(end_, std::nullopt);
    close_all();
    if (callbacks_.exited) {
      callbacks_.exited(end);
    }
  }

  void close_all() {
    error_code ignored;
    stdout_.is_open = stderr_.is_open = false;
    stdout_.pipe.close(ignored);
    stderr_.pipe.close(ignored);
    watch_.close(ignored);
    exec_status_.close(ignored);
    kill_timer_.cancel();
    drain_timer_.cancel();
    close_stdin();
    if (std::exchange(is_kept_, false)) {
      keep({});
      callbacks_.closed();
    }
  }

  Callbacks callbacks_;
  Stream stdout_;
  Stream stderr_;
  asio::posix::stream_descriptor stdin_;
  asio::posix::stream_descriptor watch_;
  asio::posix::stream_descriptor exec_status_;
  asio::steady_timer kill_timer_;
  asio::steady_timer drain_timer_;
  EngineEncoding encoding_;
  std::deque<Waiting> queue_;
  std::size_t queued_bytes_ = 0;
  SpawnRequest request_;
  Spawned spawned_;  ///< as it was started; its descriptors are held above
  pid_t process_ = -1;
  Told told_;
  bool is_adopted_ = false;
  bool is_kept_ = false;
  bool is_dropped_ = false;
  std::optional<ProcessEnd> end_;  ///< of the ended process, until it was told
};

EngineProcess::EngineProcess(asio::io_context& context, Callbacks callbacks)
    : run_(std::make_shared<Run>(context, std::move(callbacks))) {
  // An engine that has closed its end must cost a line, not the bridge.
  ::signal(SIGPIPE, SIG_IGN);
}

EngineProcess::~EngineProcess() { run_->drop(); }

base::Message EngineProcess::start(const SpawnRequest& request) { return run_->start(request); }
void EngineProcess::adopt(const Spawned& engine, const Kept& kept) { run_->adopt(engine, kept); }
EngineProcess::Told EngineProcess::told() const { return run_->told(); }
int EngineProcess::process() const { return run_->process(); }
void EngineProcess::write(std::string lines) { run_->write(std::move(lines)); }
void EngineProcess::kill(base::Millis grace) { run_->kill(grace); }

}  // namespace kakehashi::usi::io
