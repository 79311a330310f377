// The engine's process as its keeper holds it: three pipes, and a process group of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"

namespace kakehashi::keeper::io {

struct Engine {
  pid_t pid = -1;
  int input = -1;   ///< all three without blocking
  int output = -1;
  int errors = -1;
};

/// In `directory`, or in that of the program when it is empty. The error says what could not be done.
[[nodiscard]] base::Result<Engine, std::string> start_engine(const std::vector<std::string>& command,
                                                             const std::string& directory);

}  // namespace kakehashi::keeper::io
