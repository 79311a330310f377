#include "bridge/notify/io/command_hook.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::bridge::notify::io {

class CommandHook::Child : public std::enable_shared_from_this<Child> {
 public:
  Child(boost::asio::io_context& context, const usi::io::Spawned& spawned, usi::io::SpawnRequest request, Done done)
      : spawned_(spawned), request_(std::move(request)), process_(spawned.process), exec_status_(context, spawned.exec_status), outputs_{{{context, spawned.from_stdout}, {context, spawned.from_stderr}}},
        end_(context, spawned.pidfd), timer_(context), done_(std::move(done)) {}
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void watch() {
    for (Output& output : outputs_) {
      drop_what_comes(output);
    }
    end_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](boost::system::error_code failed) {
                      if (!failed) {
                        self->ended();
                      }
                    });
    timer_.expires_after(timeout);
    timer_.async_wait([weak = weak_from_this()](boost::system::error_code failed) {
      const auto self = weak.lock();
      if (!failed && self && self->process_ > 0) {
        self->finish("the command did not end within " + base::format_millis(timeout.count()));
      }
    });
  }

  void drop() {
    done_ = {};
    finish({});
  }

 private:
  /// A pipe that nobody empties would stop the command as soon as it is full.
  struct Output {
    Output(boost::asio::io_context& context, int descriptor) : end(context, descriptor), pause(context) {}
    boost::asio::posix::stream_descriptor end;
    boost::asio::steady_timer pause;
  };

  /// A command that prints without end gets no more of the loop than a pipe's content each pause.
  void drop_what_comes(Output& output) {
    output.end.async_read_some(
        boost::asio::buffer(dropped_), [self = shared_from_this(), &output](boost::system::error_code over, std::size_t) {
          if (over || !output.end.is_open()) {
            return;
          }
          output.pause.expires_after(read_pause);
          output.pause.async_wait([self, &output](boost::system::error_code failed) {
            if (!failed && output.end.is_open()) {
              self->drop_what_comes(output);
            }
          });
        });
  }

  void close_outputs() {
    boost::system::error_code ignored;
    for (Output& output : outputs_) {
      output.pause.cancel();
      output.end.close(ignored);
    }
  }

  /// Whoever has ended already is collected, and what it left behind is killed; else it is killed itself.
  void kill() {
    if (process_ > 0) {
      ::kill(-process_, SIGKILL);
      usi::io::reap_in_background(std::exchange(process_, -1));
    }
  }

  void ended() {
    if (process_ <= 0) {
      return;
    }
    siginfo_t info{};
    const bool is_known = ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                          info.si_pid == process_;
    if (std::string why = usi::io::exec_failure(spawned_, request_); !why.empty()) {
      finish(why);
    } else if (!is_known) {
      finish("the command's status is kept by another process (it is being traced)");
    } else if (info.si_code != CLD_EXITED) {
      finish("the command was ended by signal " + std::to_string(info.si_status));
    } else if (info.si_status != 0) {
      finish("the command ended with status " + std::to_string(info.si_status));
    } else {
      finish({});
    }
  }

  void finish(const std::string& why) {
    kill();
    timer_.cancel();
    boost::system::error_code ignored;
    end_.close(ignored);
    exec_status_.close(ignored);
    close_outputs();
    if (const Done done = std::exchange(done_, {})) {
      done(why);
    }
  }

  static constexpr std::size_t pipe_bytes = std::size_t{64} * 1024;
  static constexpr base::Millis read_pause{10};

  usi::io::Spawned spawned_;  ///< as it was started; its descriptors are held below
  usi::io::SpawnRequest request_;
  pid_t process_;
  boost::asio::posix::stream_descriptor exec_status_;
  std::array<Output, 2> outputs_;
  std::array<char, pipe_bytes> dropped_{};  ///< of both: nobody looks at it
  boost::asio::posix::stream_descriptor end_;
  boost::asio::steady_timer timer_;
  Done done_;
};

CommandHook::~CommandHook() { drop(); }

void CommandHook::drop() {
  if (child_) {
    child_->drop();
    child_.reset();
  }
}

void CommandHook::run(const std::vector<std::string>& command, const std::string& input, Done done) {
  drop();
  usi::io::SpawnRequest request;
  request.command = command;
  // A command that ends before it has read what it is told must not end the bridge.
  ::signal(SIGPIPE, SIG_IGN);
  const auto spawned = usi::io::spawn(request);
  if (const auto* why = std::get_if<std::string>(&spawned)) {
    boost::asio::post(context_, [done = std::move(done), why = *why] { done(why); });
    return;
  }
  const auto& running = std::get<usi::io::Spawned>(spawned);
  child_ = std::make_shared<Child>(context_, running, std::move(request), std::move(done));
  child_->watch();
  // A fresh pipe takes it whole; one that its reader has closed already takes nothing (SIGPIPE is
  // ignored by the program). One that the system made small takes what fits rather than wait for the reader.
  ::fcntl(running.to_stdin, F_SETFL, O_NONBLOCK);
  const std::string text = input.substr(0, input_bytes_max);
  [[maybe_unused]] const auto written = ::write(running.to_stdin, text.data(), text.size());
  ::close(running.to_stdin);
}

}  // namespace kakehashi::bridge::notify::io
