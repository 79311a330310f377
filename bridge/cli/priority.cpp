#include "bridge/cli/priority.hpp"

#include <sched.h>
#include <sys/resource.h>

namespace kakehashi::bridge::cli {

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

}  // namespace kakehashi::bridge::cli
