// What a process that is about to become an engine does with itself before its exec: the same for engines of the bridge
// and of kakehashi-keep, which has no library. It calls the kernel alone, since it may live in its parent's memory until
// then. Header only.
#pragma once

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "base/pass_environment.hpp"

namespace kakehashi::base::io {

template <std::integral Number>
constexpr long kernel_word(Number number) {
  return static_cast<long>(number);
}
inline long kernel_word(const void* place) { return reinterpret_cast<long>(place); }

/// What the kernel answers: an error is a negative number. Through libc a child that shares its parent's memory would
/// change its errno.
template <class... Arguments>
inline long call_kernel(long number, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 5);
  const std::array<long, 5> words{kernel_word(arguments)...};
  long answer = number;
#if defined(__x86_64__)
  asm volatile("mov %4, %%r10\n\tmov %5, %%r8\n\tsyscall"
               : "+a"(answer)
               : "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(words[3]), "r"(words[4])
               : "rcx", "r8", "r10", "r11", "memory");
#else  // 64-bit ARM
  asm volatile("mov x8, %0\n\tmov x0, %1\n\tmov x1, %2\n\tmov x2, %3\n\tmov x3, %4\n\tmov x4, %5\n\tsvc 0\n\tmov %0, x0"
               : "+r"(answer)
               : "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(words[4])
               : "x0", "x1", "x2", "x3", "x4", "x8", "memory");
#endif
  return answer;
}

/// Sockets and files of the parent would stay open in the engine.
inline void close_all_but_streams_at_exec() {
  if (call_kernel(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0) {
    return;
  }
  // A kernel before 5.11, or a container that allows only what it knows. More than this many are never open
  // (LimitNOFILE of the units is far below), and asking for the limit may answer with a billion.
  constexpr int descriptors_max = 65'536;
  for (int descriptor = 3; descriptor < descriptors_max; ++descriptor) {
    call_kernel(SYS_fcntl, descriptor, F_SETFD, FD_CLOEXEC);
  }
}

/// A process group of its own, no way to more privileges, all signals as at first, these three streams and no other
/// descriptor.
inline void become_child(const std::array<int, 3>& streams) {
  constexpr std::size_t signal_set_bytes = 8;
  static constexpr std::array<char, 64> zeros{};  // SIG_DFL, no flags; an empty set
  call_kernel(SYS_setpgid, 0, 0);
  call_kernel(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (int signal = 1; signal < NSIG; ++signal) {
    call_kernel(SYS_rt_sigaction, signal, zeros.data(), nullptr, signal_set_bytes);
  }
  call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, zeros.data(), nullptr, signal_set_bytes);
  for (int stream = 0; stream < 3; ++stream) {
    call_kernel(SYS_dup3, streams[static_cast<std::size_t>(stream)], stream, 0);
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
