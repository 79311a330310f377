#include "daemon/own_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

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

void hold_standard_descriptors() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest that is free is taken, which is this one.
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
      static_cast<void>(::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
}

}  // namespace kakehashi::daemon
