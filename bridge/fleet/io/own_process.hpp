// This process among the others of its machine: its memory is nobody else's business (it holds passwords and what
// an engine thinks), and who plays must not wait for who thinks (engines use every processor).
#pragma once

#include <cstdint>
#include <string>

namespace kakehashi::bridge::fleet::io {

/// In bytes, of the process of that number, or of "self"; 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_bytes(const std::string& process);

/// The calling thread runs before all ordinary ones from now on, where the system allows it (root,
/// CAP_SYS_NICE, RLIMIT_RTPRIO); its threads and processes begun later are ordinary. A program that was
/// started with a nice value above 0 is meant to stand back, and does.
void ask_for_priority() noexcept;

/// From now on no core is dumped, and other processes of the same user can neither trace this one
/// nor read its memory or environment. Best effort: a kernel that refuses stops no game.
void keep_memory_private() noexcept;

}  // namespace kakehashi::bridge::fleet::io
