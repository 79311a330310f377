#include "bridge/cli/first_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>

namespace kakehashi::bridge::cli {
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

int tend(const std::function<int()>& program) {
  const sigset_t ours = waited_for();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &ours, &before);
  const pid_t child = ::fork();
  if (child < 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return -1;
  }
  if (child == 0) {
    ::setpgid(0, 0);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::exit(program());
  }
  ::setpgid(child, child);  // in both: whichever runs first
  give_terminal_to(child);
  for (;;) {
    const int number = ::sigwaitinfo(&ours, nullptr);
    if (number == SIGCHLD) {
      if (const auto status = reap(child)) {
        return *status;
      }
    } else if (number > 0) {
      ::kill(child, number);
    }
  }
}

}  // namespace kakehashi::bridge::cli
