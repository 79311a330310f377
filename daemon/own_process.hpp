// This process among the others of its machine. Its memory is nobody else's business (it holds passwords and what an
// engine thinks), and who plays must not wait for who thinks (engines use every processor). What it owes to the place
// where it was started: standard descriptors that are open. Knows nothing of what the program does.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace kakehashi::daemon
