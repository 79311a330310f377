// The room keeper/io: the keeper as a process. It owns the engine's process, the socket and the timer; it decides
// nothing.
//
// The keeper's process: starts the engine, and carries bytes between it, its clients and keeper.hpp, which decides. It adds
// no rule, and needs no library.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.hpp"
#include "keeper/client.hpp"
#include "keeper/keeper.hpp"

namespace kakehashi::keeper::io {

/// The engine's process as its keeper holds it: three pipes, and a process group of its own.
struct Engine {
  pid_t pid = -1;
  int input = -1;   ///< all three without blocking
  int output = -1;
  int errors = -1;
};

/// As an engine of the bridge's machine is started: with three descriptors, no way to more privileges, and no more of
/// the environment than is passed. The error says what could not be done.
[[nodiscard]] base::Result<Engine, std::string> start_engine(const Attachment& wanted);

/// What a client must want to get this engine.
struct Identity {
  std::string command;  ///< a fingerprint of what was started
  std::string fresh;    ///< the word that it was started with; empty: none
};

/// Returns when nothing is left to keep; the engine has ended then, or was killed. The loop owns the descriptors.
void serve(Keeper::Rules rules, Engine engine, int listening, const Identity& identity);

}  // namespace kakehashi::keeper::io
