#include "usi/io/process_limits.hpp"

#include <sched.h>
#include <sys/resource.h>

namespace kakehashi::usi::io {

namespace {

/// Both the soft and the hard one, so that the engine cannot raise it again.
template <class Resource>
bool limit(Resource resource, std::uint64_t most) {
  const rlimit wanted{most, most};
  return ::setrlimit(resource, &wanted) == 0;
}

bool bind_to(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

/// Never ahead of the bridge, which may stand back itself: that would want privileges.
bool stand_back(int nice) {
  return nice == 0 || nice <= ::getpriority(PRIO_PROCESS, 0) ||
         ::setpriority(PRIO_PROCESS, 0, nice) == 0;
}

}  // namespace

bool apply(const ProcessLimits& limits, const std::vector<int>& cpus) {
  // What lets the bridge run before others is not meant for who thinks.
  return limit(RLIMIT_RTPRIO, 0) && (limits.core_dumps || limit(RLIMIT_CORE, 0)) &&
         (!limits.open_files ||
          limit(RLIMIT_NOFILE, static_cast<std::uint64_t>(*limits.open_files))) &&
         (cpus.empty() || bind_to(cpus)) &&
         stand_back(limits.nice) &&
         (limits.memory == 0 || limit(RLIMIT_DATA, limits.memory)) &&
         (limits.address_space == 0 || limit(RLIMIT_AS, limits.address_space));
}

}  // namespace kakehashi::usi::io
