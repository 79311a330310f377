// What a child process may take of the machine. Applied between fork and exec, and inherited by its
// own children.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kakehashi::usi::io {

struct ProcessLimits {
  std::uint64_t memory_bytes = 0;         ///< of data and anonymous memory (RLIMIT_DATA); 0: no limit
  std::uint64_t address_space_bytes = 0;  ///< RLIMIT_AS; 0: no limit
  std::optional<int> open_files{};        ///< RLIMIT_NOFILE
  bool may_dump_core = true;
  int nice = 0;                           ///< 0 to 19
  std::vector<int> cpus{};                ///< that it may run on; empty: all
};

/// In the child: async-signal-safe. False with errno when the kernel refuses one of them.
[[nodiscard]] bool apply(const ProcessLimits& limits);

}  // namespace kakehashi::usi::io
