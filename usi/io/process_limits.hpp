// The limits of a child process, applied between fork and exec, and inherited by its own children.
#pragma once

#include <vector>

#include "usi/process_limits.hpp"

namespace kakehashi::usi::io {

/// In the child: async-signal-safe. `cpus` are those of the limits, parsed before. False with errno when the kernel
/// refuses one of them.
[[nodiscard]] bool apply(const ProcessLimits& limits, const std::vector<int>& cpus);

}  // namespace kakehashi::usi::io
