// Starts a child process the careful way: own process group, closed descriptors, clean environment,
// no shell, and errors of exec told to the caller. Nothing here waits for a child: one whose program lies on
// a disk that hangs, or that the kernel cannot end yet, holds up nobody. It knows nothing of what the child
// speaks.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/message.hpp"
#include "usi/process.hpp"

namespace kakehashi::usi::io {

struct SpawnRequest {
  std::vector<std::string> command;  ///< program and arguments; no shell reads them
  /// Working directory; empty: see directory_of().
  std::string directory;
  /// In place of or besides PATH, HOME, LANG, LC_ALL and TZ; nothing else of the caller's reaches the child.
  std::vector<std::pair<std::string, std::string>> environment;
  ProcessLimits limits{};
  bool dies_with_us = true;  ///< else it sees the end of its input
  bool is_heard = true;      ///< else what it prints goes nowhere
};

/// Where the child runs: the directory that is asked for; else that in which the engine lies. A place of commands (a bin, an
/// sbin, or what PATH names) is none: behind a link there counts what it leads to, and behind a program there (nice, sh,
/// python3) the first argument that is the whole path of a file. Empty: the caller's own.
[[nodiscard]] std::string directory_of(const SpawnRequest& request);

/// The limits of a child, applied before its exec, and inherited by its own children. It asks the kernel alone; `cpus` are
/// those of the limits, parsed before. 0, or a negative error when the kernel refuses one of them.
[[nodiscard]] long apply(const ProcessLimits& limits, const std::vector<int>& cpus);

/// The paths at which execvp(3) looks for a program.
[[nodiscard]] std::vector<std::string> places_of(const std::string& program);

/// The processors that this process may run on, in rising order.
[[nodiscard]] std::vector<int> processors();

/// A running child. The descriptors belong to the caller.
struct Spawned {
  pid_t process = -1;  ///< also its process group
  int pidfd = -1;      ///< readable once the child has ended
  int to_stdin = -1;
  int from_stdout = -1;  ///< like the next one, of a child that is heard
  int from_stderr = -1;
  int exec_status = -1;  ///< readable once it is known whether the program runs
};

/// The child on its way to become the program, or why there is none, in words.
/// To be called from the main thread: the child dies with the thread that started it.
[[nodiscard]] std::variant<Spawned, base::Message> spawn(const SpawnRequest& request);

/// Behind `exec_status`: why the program does not run ("cannot run /opt/x: No such file or directory
/// (ENOENT)"); empty when it does, or when nothing is known yet. The child ends by itself when there is a reason.
[[nodiscard]] base::Message exec_failure(const Spawned& child, const SpawnRequest& request);

/// An engine that needs too much memory is killed before the bridge is. Best effort, once the program runs.
void prefer_as_victim(pid_t engine);

/// Collects the child when it has ended; on a thread of its own, however long that takes. Its number is not to be
/// used any more.
void reap_in_background(pid_t child);

}  // namespace kakehashi::usi::io
