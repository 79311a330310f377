// Starts a child process the careful way: own process group, closed descriptors, clean environment,
// no shell, and errors of exec told to the caller. It knows nothing of what the child speaks.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "usi/io/process_limits.hpp"

namespace kakehashi::usi::io {

struct SpawnRequest {
  std::vector<std::string> command;  ///< program and arguments; no shell reads them
  /// Working directory; empty: the program's own when its path names one, else the caller's.
  std::string directory;
  /// Added to PATH, HOME, LANG, LC_ALL and TZ; nothing else of the caller's reaches the child.
  std::vector<std::pair<std::string, std::string>> environment;
  ProcessLimits limits{};
};

/// A running child. The descriptors belong to the caller.
struct Spawned {
  pid_t process = -1;  ///< also its process group
  int pidfd = -1;      ///< readable once the child has ended
  int to_stdin = -1;
  int from_stdout = -1;
  int from_stderr = -1;
};

/// The child, or what failed in words ("cannot run /opt/x: No such file or directory (ENOENT)").
/// To be called from the main thread: the child dies with the thread that started it.
[[nodiscard]] std::variant<Spawned, std::string> spawn(const SpawnRequest& request);

}  // namespace kakehashi::usi::io
