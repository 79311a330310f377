// What a process owes to the place where it was started, before it does anything of its own: standard
// descriptors that are open, and the duties of a first process, where a container gives this program
// that place: to pass signals on, and to reap every process whose parent has left. Knows nothing of what
// the program does.
#pragma once

#include <functional>

namespace kakehashi::bridge::cli {

/// Who starts a program may have closed descriptors 0 to 2. The next file or socket would take such a
/// number, and what is said there would go into that: each is held, reading and writing fail as before.
void hold_standard_descriptors() noexcept;

/// Whether the kernel hands orphans to this process (PID 1 of a container).
[[nodiscard]] bool is_first_process();

/// Runs `program` in a child, in a process group of its own, which gets the terminal if there is
/// one: Ctrl-C would otherwise reach it twice, as the terminal's signal and as ours. Returns when
/// the child ends: its exit status, or 128 + the signal that killed it; -1 when no child could be
/// made, and nothing was run then. Call it before any thread is started.
[[nodiscard]] int tend(const std::function<int()>& program);

}  // namespace kakehashi::bridge::cli
