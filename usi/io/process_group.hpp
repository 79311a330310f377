// Who is in a process group, as /proc tells.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace kakehashi::usi::io {

/// Processes of the group, those that ended and were not reaped included; 0 where /proc is missing.
[[nodiscard]] std::size_t group_members(pid_t group);

}  // namespace kakehashi::usi::io
