#include "daemon/own_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::daemon {

std::uint64_t resident_bytes(const std::string& process) {
  std::ifstream statm("/proc/" + process + "/statm");
  std::uint64_t all_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void keep_memory_private() noexcept {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;  // the hard limit stays: an engine may be given cores again by its own wrapper
    ::setrlimit(RLIMIT_CORE, &core);
  }
}

// --- the place where it was started

namespace {

/// What people and supervisors send to a container.
constexpr std::array passed_on{SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2};

sigset_t waited_for() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : passed_on) {
    sigaddset(&set, number);
  }
  sigaddset(&set, SIGCHLD);
  return set;
}

/// Only the terminal's present owner may give it away without being stopped for it.
void give_terminal_to(pid_t group) {
  if (::isatty(STDIN_FILENO) == 1) {
    ::signal(SIGTTOU, SIG_IGN);
    ::tcsetpgrp(STDIN_FILENO, group);
  }
}

/// Takes every process that has ended; the child's exit status when it is among them.
std::optional<int> reap(pid_t child) {
  std::optional<int> status;
  for (;;) {
    int raw = 0;
    const pid_t ended = ::waitpid(-1, &raw, WNOHANG);
    if (ended == child) {
      status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    } else if (ended == 0 || (ended < 0 && errno != EINTR)) {
      return status;
    }
  }
}

/// What the program says of its life (sd_notify(3)), heard on a socket of ours.
class Vigil {
 public:
  explicit Vigil(base::Millis silence_max) : silence_max_(silence_max) {
    if (std::getenv("NOTIFY_SOCKET") != nullptr) {
      return;  // somebody else keeps it
    }
    socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t length = sizeof(sa_family_t);  // the kernel chooses an abstract name
    if (socket_ >= 0 && ::bind(socket_, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &(length = sizeof address)) == 0) {
      name_.assign(address.sun_path, length - offsetof(sockaddr_un, sun_path));
      name_[0] = '@';
    }
  }
  ~Vigil() {
    if (socket_ >= 0) {
      ::close(socket_);
    }
  }
  Vigil(const Vigil&) = delete;
  Vigil& operator=(const Vigil&) = delete;

  /// In the child.
  void hand_over() {
    if (!name_.empty()) {
      ::setenv("NOTIFY_SOCKET", name_.c_str(), 1);
      ::setenv("WATCHDOG_USEC", std::to_string(silence_max_.count() * 1'000).c_str(), 1);
      ::unsetenv("WATCHDOG_PID");
    }
    ::close(std::exchange(socket_, -1));
  }

  [[nodiscard]] int descriptor() const { return socket_; }

  /// For poll(2); -1: as long as it takes.
  [[nodiscard]] int until_look() const {
    return is_awaited_ ? static_cast<int>(std::max<std::int64_t>(left().count(), 0)) : -1;
  }

  void listen() {
    std::array<char, 4096> words{};
    for (;;) {
      const auto size = ::recv(socket_, words.data(), words.size(), 0);
      if (size < 0) {
        return;
      }
      const std::string_view said(words.data(), static_cast<std::size_t>(size));
      if (said.find("WATCHDOG=1") != std::string_view::npos) {
        is_awaited_ = true;
        silent_looks_ = 0;
        next_look_ = Clock::now() + silence_max_ / looks_max;
      } else if (said.find("STOPPING=1") != std::string_view::npos) {
        is_awaited_ = false;
      }
    }
  }

  /// Whether the program has been silent for too long. Looks are counted, and not the time between two of
  /// them: a container that was frozen comes back with the clock far ahead, and is not to blame.
  [[nodiscard]] bool is_lost() {
    if (!is_awaited_ || left().count() > 0) {
      return false;
    }
    next_look_ = Clock::now() + silence_max_ / looks_max;
    is_awaited_ = ++silent_looks_ < looks_max;
    return !is_awaited_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int looks_max = 12;

  [[nodiscard]] base::Millis left() const {
    return std::chrono::ceil<base::Millis>(next_look_ - Clock::now());
  }

  base::Millis silence_max_;
  int socket_ = -1;
  std::string name_;
  bool is_awaited_ = false;
  int silent_looks_ = 0;
  Clock::time_point next_look_{};
};

void tell_of_silence(base::Millis silence) {
  const std::string text = "kakehashi: the bots' loop has given no sign of life for " +
                           base::format_millis(silence.count()) +
                           "; it is killed, so that the container ends and can be started anew\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

void hold_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest that is free is taken, which is this one.
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

bool is_first_process() { return ::getpid() == 1; }

int tend(const std::function<int()>& program, base::Millis silence_max) {
  const sigset_t ours = waited_for();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &ours, &before);
  Vigil vigil(silence_max);
  const pid_t child = ::fork();
  if (child < 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return -1;
  }
  if (child == 0) {
    ::setpgid(0, 0);
    vigil.hand_over();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::exit(program());
  }
  ::setpgid(child, child);  // in both: whichever runs first
  give_terminal_to(child);
  const int signals = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  for (;;) {
    std::array<pollfd, 2> watched{pollfd{signals, POLLIN, 0}, pollfd{vigil.descriptor(), POLLIN, 0}};
    (void)::poll(watched.data(), watched.size(), vigil.until_look());
    signalfd_siginfo arrived{};
    while (::read(signals, &arrived, sizeof arrived) == sizeof arrived) {
      const int number = static_cast<int>(arrived.ssi_signo);
      if (number != SIGCHLD) {
        ::kill(child, number);
      } else if (const auto status = reap(child)) {
        return *status;
      }
    }
    vigil.listen();
    if (vigil.is_lost()) {
      tell_of_silence(silence_max);
      ::kill(child, SIGKILL);
    }
  }
}

}  // namespace kakehashi::daemon
