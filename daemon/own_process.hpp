// This process among the others of its machine. Its memory is nobody else's business (it holds passwords and what an
// engine thinks), and who plays must not wait for who thinks (engines use every processor). What it owes to the place
// where it was started: standard descriptors that are open, and the duties of a first process, where a container gives it
// that place: to pass signals on, to reap every process whose parent has left, and to end a program that hangs, since no
// container runtime starts one anew for being unhealthy, only for having ended. Knows nothing of what the program does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/time.hpp"

namespace kakehashi::daemon {

/// In bytes, of the process of that number, or of "self"; 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_bytes(const std::string& process);

/// From now on no core is dumped, and other processes of the same user can neither trace this one
/// nor read its memory or environment. Best effort: a kernel that refuses stops no game.
void keep_memory_private() noexcept;

// --- the place where it was started

/// Who starts a program may have closed descriptors 0 to 2. The next file or socket would take such a
/// number, and what is said there would go into that: each is held, reading and writing fail as before.
void hold_standard_descriptors() noexcept;

/// Whether the kernel hands orphans to this process (PID 1 of a container).
[[nodiscard]] bool is_first_process();

/// Runs `program` in a child, in a process group of its own, which gets the terminal if there is
/// one: Ctrl-C would otherwise reach it twice, as the terminal's signal and as ours. Returns when
/// the child ends: its exit status, or 128 + the signal that killed it; -1 when no child could be
/// made, and nothing was run then. Call it before any thread is started.
/// The program finds a supervisor in its environment as systemd's services do (NOTIFY_SOCKET,
/// WATCHDOG_USEC), unless there is one already. Once it has said that it is alive it is killed when it does
/// not say so again within `silence_max`, until it says that it is stopping: whoever asked for that has his
/// own patience.
[[nodiscard]] int tend(const std::function<int()>& program, base::Millis silence_max = base::Millis{60'000});

}  // namespace kakehashi::daemon
