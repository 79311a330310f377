#include "bridge/cli/private_memory.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace kakehashi::bridge::cli {

void keep_memory_private() noexcept {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  rlimit core{};
  if (::getrlimit(RLIMIT_CORE, &core) == 0) {
    core.rlim_cur = 0;  // the hard limit stays: an engine may be given cores again by its own wrapper
    ::setrlimit(RLIMIT_CORE, &core);
  }
}

}  // namespace kakehashi::bridge::cli
