#include "keeper/io/serve.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/line_splitter.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::keeper::io {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} * 1024;
/// An engine that does not read is as good as dead.
constexpr std::size_t unread_bytes_max = std::size_t{1024} * 1024;
constexpr std::size_t clients_max = 16;
/// For the last words to clients.
constexpr base::Millis farewell{1'000};

base::SteadyTime now() { return std::chrono::steady_clock::now(); }

std::string in_words(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "status " + std::to_string(WEXITSTATUS(status));
}

class Loop {
 public:
  Loop(Keeper::Rules rules, Engine engine, int listening, Identity identity)
      : keeper_(std::move(rules), now()), engine_(engine), listening_(listening), identity_(std::move(identity)) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT}) {
      sigaddset(&signals, signal);
    }
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    ::signal(SIGPIPE, SIG_IGN);
    reap();  // it may have ended before SIGCHLD was blocked
  }

  void run() {
    while (!is_leaving_ || (now() < leave_by_ && has_something_to_say())) {
      turn();
    }
    if (engine_.pid > 0) {
      ::kill(-engine_.pid, SIGKILL);
    }
  }

 private:
  struct Client {
    int descriptor;
    base::LineSplitter splitter{line_bytes_max};
    std::string text{};      ///< to be sent
    bool is_known = false;   ///< it wants this engine
    /// Once it is to be closed: by then at the latest, whether it has read what was said last or not.
    std::optional<base::SteadyTime> close_by{};
  };

  [[nodiscard]] bool has_something_to_say() const {
    return std::any_of(clients_.begin(), clients_.end(), [](const auto& entry) { return !entry.second.text.empty(); });
  }

  void turn() {
    perform();
    std::vector<pollfd> waits{{signals_, POLLIN, 0}};
    const auto wait_for = [&](int descriptor, short events) {
      if (descriptor >= 0 && events != 0) {
        waits.push_back({descriptor, events, 0});
      }
    };
    wait_for(listening_, clients_.size() < clients_max ? POLLIN : short{0});
    wait_for(engine_.output, POLLIN);
    wait_for(engine_.errors, POLLIN);
    wait_for(engine_.input, unread_.empty() ? short{0} : short{POLLOUT});
    for (auto& [number, client] : clients_) {
      if (client.text.empty()) {
        client.text += keeper_.take_text(number, chunk_bytes);
      }
      wait_for(client.descriptor, static_cast<short>(POLLIN | (client.text.empty() ? 0 : POLLOUT)));
    }
    ::poll(waits.data(), waits.size(), patience());
    std::map<int, short> seen;
    for (const pollfd& wait : waits) {
      seen[wait.fd] = wait.revents;
    }
    const auto is_due = [&](int descriptor) { return descriptor >= 0 && seen[descriptor] != 0; };
    if (is_due(engine_.output)) {
      read_output();
    }
    if (is_due(engine_.errors)) {
      read_errors();
    }
    if (is_due(signals_)) {
      signalfd_siginfo signal{};
      while (::read(signals_, &signal, sizeof signal) > 0) {
        if (signal.ssi_signo != SIGCHLD) {
          keeper_.quit(now());
        }
      }
      reap();
    }
    if (is_due(engine_.input)) {
      write_input();
    }
    visit_clients(seen);
    if (is_due(listening_)) {
      accept();
    }
    keeper_.on_time(now());
    perform();
  }

  [[nodiscard]] int patience() const {
    auto deadline = keeper_.deadline();
    deadline = base::earlier(deadline, is_leaving_ ? std::optional(leave_by_) : std::nullopt);
    for (const auto& [number, client] : clients_) {
      deadline = base::earlier(deadline, client.close_by);
    }
    if (!deadline) {
      return -1;
    }
    const auto left = std::chrono::ceil<base::Millis>(*deadline - now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
  }

  void perform() {
    for (const Action& action : keeper_.take_actions()) {
      std::visit(base::Overload{
                     [&](const WriteEngine& write) {
                       unread_ += write.line + "\n";
                       write_input();
                     },
                     [&](const KillEngine&) {
                       if (engine_.pid > 0) {
                         ::kill(-engine_.pid, SIGKILL);
                       }
                     },
                     [&](const CloseClient& close) {
                       if (const auto found = clients_.find(close.client); found != clients_.end()) {
                         found->second.text += keeper_.take_text(close.client, chunk_bytes);
                         found->second.close_by = now() + farewell;
                       }
                     },
                     [&](const Leave&) {
                       for (auto& [number, client] : clients_) {
                         client.text += keeper_.take_text(number, chunk_bytes);
                       }
                       is_leaving_ = true;
                       leave_by_ = now() + farewell;
                     },
                 },
                 action);
    }
  }

  void write_input() {
    while (engine_.input >= 0 && !unread_.empty()) {
      const ssize_t count = ::write(engine_.input, unread_.data(), unread_.size());
      if (count > 0) {
        unread_.erase(0, static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        break;
      } else if (errno != EINTR) {
        close(engine_.input);  // its end will be told
      }
    }
    if (engine_.input < 0) {
      unread_.clear();
    } else if (unread_.size() > unread_bytes_max && engine_.pid > 0) {
      keeper_.on_engine_error_line("the engine does not read, and is killed by its keeper");
      ::kill(-engine_.pid, SIGKILL);
    }
  }

  /// Bytes that are there; false: nothing more will come.
  static bool read_some(int descriptor, std::string& bytes) {
    bytes.resize(chunk_bytes);
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    const int error = errno;
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return count > 0 || (count < 0 && (error == EAGAIN || error == EINTR));
  }

  void read_output() {
    std::string bytes;
    if (!read_some(engine_.output, bytes)) {
      close(engine_.output);
      return;
    }
    const auto fed = output_lines_.feed(bytes);
    for (const std::string_view line : fed.lines) {
      keeper_.on_engine_line(std::string(line), now());
    }
    if (fed.trouble != base::LineSplitter::Trouble::none) {
      keeper_.on_engine_error_line("a line of the engine was too long or held a NUL byte, and is lost");
    }
  }

  void read_errors() {
    std::string bytes;
    if (!read_some(engine_.errors, bytes)) {
      close(engine_.errors);
      return;
    }
    for (const std::string_view line : error_lines_.feed(bytes).lines) {
      keeper_.on_engine_error_line(std::string(line));
    }
  }

  void reap() {
    int status = 0;
    if (engine_.pid <= 0 || ::waitpid(engine_.pid, &status, WNOHANG) != engine_.pid) {
      return;
    }
    ::kill(-engine_.pid, SIGKILL);  // what it has started itself
    engine_.pid = -1;
    // What it said last is still in the pipes; a child of its own may hold them open for ever.
    for (std::size_t chunk = 0; engine_.output >= 0 && chunk < 1024 && is_readable(engine_.output); ++chunk) {
      read_output();
    }
    for (std::size_t chunk = 0; engine_.errors >= 0 && chunk < 16 && is_readable(engine_.errors); ++chunk) {
      read_errors();
    }
    close(engine_.input);
    close(engine_.output);
    close(engine_.errors);
    keeper_.on_engine_exit(in_words(status), now());
  }

  static bool is_readable(int descriptor) {
    pollfd wait{descriptor, POLLIN, 0};
    return ::poll(&wait, 1, 0) > 0;
  }

  void visit_clients(std::map<int, short>& seen) {
    std::vector<int> gone;
    for (auto& [number, client] : clients_) {
      const short events = seen[client.descriptor];
      const bool is_there = events == 0 || ((events & (POLLIN | POLLHUP | POLLERR)) == 0 || hear(number, client));
      if (!is_there || !send(client) || (client.close_by && (client.text.empty() || now() >= *client.close_by))) {
        gone.push_back(number);
      }
    }
    for (const int number : gone) {
      close(clients_.at(number).descriptor);
      clients_.erase(number);
      keeper_.on_client_gone(number, now());
    }
  }

  bool hear(int number, Client& client) {
    std::string bytes;
    if (!read_some(client.descriptor, bytes)) {
      return false;
    }
    const auto fed = client.splitter.feed(bytes);
    for (const std::string_view line : fed.lines) {
      if (client.is_known) {
        keeper_.on_client_line(number, line, now());
      } else if (!judge(client, line)) {
        return true;  // nothing else counts from this one
      }
    }
    return fed.trouble == base::LineSplitter::Trouble::none;
  }

  /// The first line says which engine is wanted; "-": whichever is here.
  bool judge(Client& client, std::string_view line) {
    if (client.close_by) {
      return false;
    }
    const auto words = base::split(line, ' ');
    const bool is_same = words.size() == 3 && words[0] == "command" && (words[1] == identity_.command || words[1] == "-");
    client.is_known = is_same && (words[2] == identity_.fresh || words[2] == "-");
    client.text += client.is_known ? "same\n" : "other\n";
    if (!client.is_known) {
      client.close_by = now() + farewell;
      if (is_same) {
        keeper_.kill();  // whoever wants a fresh one has given this one up
      } else {
        keeper_.quit(now());
      }
    }
    return client.is_known;
  }

  static bool send(Client& client) {
    while (!client.text.empty()) {
      const ssize_t count = ::send(client.descriptor, client.text.data(), client.text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (count > 0) {
        client.text.erase(0, static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        return true;
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  }

  void accept() {
    const int descriptor = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor >= 0) {
      const int number = ++clients_so_far_;
      clients_.emplace(number, Client{descriptor});
      keeper_.on_client(number, now());
    }
  }

  static void close(int& descriptor) {
    if (descriptor >= 0) {
      ::close(descriptor);
      descriptor = -1;
    }
  }

  Keeper keeper_;
  Engine engine_;
  int listening_;
  Identity identity_;
  int signals_ = -1;
  std::map<int, Client> clients_;
  int clients_so_far_ = 0;
  std::string unread_;  ///< by the engine
  base::LineSplitter output_lines_{engine_line_bytes_max};
  base::LineSplitter error_lines_{4096};
  bool is_leaving_ = false;
  base::SteadyTime leave_by_{};
};

}  // namespace

void serve(Keeper::Rules rules, Engine engine, int listening, const Identity& identity) {
  Loop(std::move(rules), engine, listening, identity).run();
}

}  // namespace kakehashi::keeper::io
