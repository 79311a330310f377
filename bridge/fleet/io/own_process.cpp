#include "bridge/fleet/io/own_process.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

namespace kakehashi::bridge::fleet::io {

std::uint64_t resident_bytes(const std::string& process) {
  std::ifstream statm("/proc/" + process + "/statm");
  std::uint64_t all_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> all_pages >> resident_pages;
  return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// A negative nice value would not do: between the sessions of a machine (autogroup) and between control
// groups it counts for nothing, and a timer still rings tens of milliseconds late beside busy processes.
void ask_for_priority() noexcept {
  if (::getpriority(PRIO_PROCESS, 0) > 0) {
    return;
  }
  sched_param lowest{};
  lowest.sched_priority = 1;
  static_cast<void>(::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest));
}

void keep_memory_private() noexcept {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;  // the hard limit stays: an engine may be given cores again by its own wrapper
    ::setrlimit(RLIMIT_CORE, &core);
  }
}

}  // namespace kakehashi::bridge::fleet::io
