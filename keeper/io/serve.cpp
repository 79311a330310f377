#include "keeper/io/serve.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/io/child.hpp"
#include "base/line_splitter.hpp"
#include "base/overload.hpp"
#include "base/pass_environment.hpp"
#include "base/text.hpp"

namespace kakehashi::keeper::io {

// --- the engine

namespace {

using Pipe = std::array<int, 2>;

struct Trouble {
  int step;
  int error;
};

constexpr int step_directory = 0;
constexpr int step_exec = 1;

std::string directory_of(const std::string& program, const std::string& directory) {
  if (!directory.empty()) {
    return directory;
  }
  const std::size_t slash = program.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : program.substr(0, slash);
}

/// What every program needs, and what the patterns let through.
std::vector<std::string> environment_by(const std::vector<std::string>& patterns) {
  const std::vector usual{std::string(base::usual_environment)};
  std::vector<std::string> texts;
  for (const auto& [name, value] : base::pass_environment(patterns.empty() ? usual : patterns, base::io::own_environment()).passed) {
    texts.push_back(name + "=" + value);
  }
  return texts;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    result.push_back(const_cast<char*>(text.c_str()));
  }
  result.push_back(nullptr);
  return result;
}

[[noreturn]] void become_engine(const Attachment& wanted, const Pipe& input, const Pipe& output, const Pipe& errors,
                                int report) {
  base::io::become_child({input[0], output[1], errors[1]});
  if (!wanted.core_dumps) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
  }
  const std::vector<std::string> environment = environment_by(wanted.pass);
  const std::string folder = directory_of(wanted.command.front(), wanted.directory);
  Trouble trouble{step_directory, 0};
  if (folder.empty() || ::chdir(folder.c_str()) == 0) {
    ::execvpe(wanted.command.front().c_str(), pointers(wanted.command).data(), pointers(environment).data());
    trouble.step = step_exec;
  }
  trouble.error = errno;
  static_cast<void>(!::write(report, &trouble, sizeof trouble));
  ::_exit(127);
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors) {
    ::close(descriptor);
  }
}

}  // namespace

base::Result<Engine, std::string> start_engine(const Attachment& wanted) {
  Pipe input{};
  Pipe output{};
  Pipe errors{};
  Pipe report{};
  for (Pipe* pipe : {&input, &output, &errors, &report}) {
    if (::pipe2(pipe->data(), O_CLOEXEC) != 0) {
      return base::Failure<std::string>{std::string("no pipe can be made: ") + std::strerror(errno)};
    }
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    become_engine(wanted, input, output, errors, report[1]);
  }
  const int fork_error = errno;
  close_all({input[0], output[1], errors[1], report[1]});
  Trouble trouble{};
  const bool is_refused = pid > 0 && ::read(report[0], &trouble, sizeof trouble) == sizeof trouble;
  ::close(report[0]);
  if (pid < 0 || is_refused) {
    close_all({input[1], output[0], errors[0]});
    const std::string what = pid < 0 ? "no process can be made"
                             : trouble.step == step_directory
                                 ? "the directory " + directory_of(wanted.command.front(), wanted.directory) + " cannot be entered"
                                 : wanted.command.front() + " cannot be started";
    return base::Failure<std::string>{what + ": " + std::strerror(pid < 0 ? fork_error : trouble.error)};
  }
  for (const int descriptor : {input[1], output[0], errors[0]}) {
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  }
  return Engine{pid, input[1], output[0], errors[0]};
}

// --- the loop

namespace {

constexpr std::size_t chunk_bytes = std::size_t{64} * 1024;
/// An engine that does not read is as good as dead.
constexpr std::size_t unread_bytes_max = std::size_t{1024} * 1024;
constexpr std::size_t clients_max = 16;
/// For the last words to clients.
constexpr base::Millis farewell{1'000};
constexpr int last_chunks_max = 16;
/// Behind the end of what a client says, until its link has ended too where it was cut.
/// Long: of a busy machine's two ends of one cut, one may come much later.
constexpr base::Millis cut_shows_within{5'000};

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
  /// kakehashi-keep attach, which hands over its standard input and output with its first words and waits then: what
  /// a link carries goes through no process of ours but this one.
  struct Client {
    int door;             ///< the connection to that process: its end is that of the client
    int input = -1;
    int output = -1;
    base::LineSplitter splitter{line_bytes_max};
    std::string text{};      ///< to be sent
    bool is_known = false;   ///< it wants this engine
    bool ends_it = false;    ///< when it takes its leave
    std::optional<base::SteadyTime> silent_from{};  ///< the end of its input
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
      waits.push_back({client.door, POLLIN, 0});
      if (client.is_known) {
        wait_for(client.input, client.silent_from ? short{0} : short{POLLIN});
        waits.push_back({client.output, client.text.empty() ? short{0} : short{POLLOUT}, 0});
      }
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
      if (client.silent_from) {
        deadline = base::earlier(deadline, *client.silent_from + cut_shows_within);
      }
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
      const bool is_there = client.is_known ? visit(number, client, seen) : seen[client.door] == 0 || meet(client);
      if (!is_there || (client.close_by && (client.text.empty() || now() >= *client.close_by))) {
        gone.push_back(number);
      } else if (client.silent_from && now() >= *client.silent_from + cut_shows_within) {
        // Whoever spoke has ended, and its link stands.
        if (client.ends_it) {
          keeper_.on_leave_taken(number, now());
        }
        gone.push_back(number);
      }
    }
    for (const int number : gone) {
      Client& client = clients_.at(number);
      for (int* descriptor : {&client.door, &client.input, &client.output}) {
        close(*descriptor);
      }
      clients_.erase(number);
      keeper_.on_client_gone(number, now());
    }
  }

  /// false: it is gone.
  bool visit(int number, Client& client, std::map<int, short>& seen) {
    constexpr short broken = POLLERR | POLLHUP | POLLNVAL;
    if (!client.silent_from && seen[client.input] != 0 && !hear(number, client)) {
      return false;
    }
    if (seen[client.door] == 0 && (seen[client.output] & broken) == 0) {
      return send(client);
    }
    // What it said last counts, a "quit" perhaps.
    for (int chunk = 0; chunk < last_chunks_max && !client.silent_from && is_readable(client.input); ++chunk) {
      if (!hear(number, client)) {
        break;
      }
    }
    return false;
  }

  bool hear(int number, Client& client) {
    std::string bytes;
    if (!read_some(client.input, bytes)) {
      client.silent_from = now();
      return true;
    }
    const auto fed = client.splitter.feed(bytes);
    for (const std::string_view line : fed.lines) {
      keeper_.on_client_line(number, line, now());
    }
    return fed.trouble == base::LineSplitter::Trouble::none;
  }

  /// The first words, with the two descriptors. What they are answered goes back through the door.
  bool meet(Client& client) {
    std::array<char, 256> bytes{};
    iovec part{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> extra{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = extra.data();
    message.msg_controllen = extra.size();
    const ssize_t count = ::recvmsg(client.door, &message, MSG_CMSG_CLOEXEC);
    if (count <= 0) {
      return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
      if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_RIGHTS) {
        take_descriptors(client, *one);
      }
    }
    // So few bytes come in one piece, or from somebody else.
    const std::string_view words(bytes.data(), static_cast<std::size_t>(count));
    return words.ends_with('\n') && client.output >= 0 && judge(client, words.substr(0, words.size() - 1));
  }

  static void take_descriptors(Client& client, const cmsghdr& message) {
    std::array<int, 2> descriptors{-1, -1};
    const std::size_t bytes = std::min<std::size_t>(message.cmsg_len - CMSG_LEN(0), sizeof descriptors);
    std::memcpy(descriptors.data(), CMSG_DATA(&message), bytes);
    close(client.input);
    close(client.output);
    client.input = descriptors[0];
    client.output = descriptors[1];
    for (const int descriptor : descriptors) {
      if (descriptor >= 0) {
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
      }
    }
  }

  /// "attach", which engine is wanted ("-": whichever is here), "fresh" or "-", and "keep" or "end".
  bool judge(Client& client, std::string_view line) {
    const auto words = base::split(line, ' ');
    const bool is_same = words.size() == 4 && words[0] == "attach" && (words[1] == identity_.command || words[1] == "-");
    client.is_known = is_same && (words[2] == identity_.fresh || words[2] == "-");
    client.ends_it = client.is_known && words[3] == "end";
    const std::string_view answer = client.is_known ? "same\n" : "other\n";
    static_cast<void>(!::send(client.door, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    if (is_same && !client.is_known) {
      keeper_.kill();  // whoever wants a fresh one has given this one up
    } else if (!client.is_known) {
      keeper_.quit(now());
    }
    return client.is_known;
  }

  static bool send(Client& client) {
    while (!client.text.empty()) {
      const ssize_t count = ::write(client.output, client.text.data(), client.text.size());
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
