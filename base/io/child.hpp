// What a process that is about to become an engine does with itself, between fork and exec: the same for engines of the
// bridge and of kakehashi-keep, which has no library. Async-signal-safe; header only.
#pragma once

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "base/pass_environment.hpp"

namespace kakehashi::base::io {

/// Sockets and files of the parent would stay open in the engine.
inline void close_all_but_streams_at_exec() {
  if (::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
    return;
  }
  // A kernel before 5.11, or a container that allows only what it knows. More than this many are never open
  // (LimitNOFILE of the units is far below), and asking for the limit may answer with a billion.
  constexpr int descriptors_max = 65'536;
  for (int descriptor = 3; descriptor < descriptors_max; ++descriptor) {
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
}

/// A process group of its own, no way to more privileges, all signals as at first, these three streams and no other
/// descriptor.
inline void become_child(const std::array<int, 3>& streams) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (int signal = 1; signal < NSIG; ++signal) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int stream = 0; stream < 3; ++stream) {
    ::dup2(streams[static_cast<std::size_t>(stream)], stream);
  }
  close_all_but_streams_at_exec();
}

// --- the environment of this process, as values: for whoever passes some of it to a child

/// All variables with a name.
[[nodiscard]] inline Environment own_environment() {
  Environment all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (const std::size_t equals = text.find('='); equals != std::string_view::npos && equals > 0) {
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return all;
}

}  // namespace kakehashi::base::io
