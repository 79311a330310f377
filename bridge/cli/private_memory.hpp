// The memory of this process is nobody else's business: it holds passwords and what an engine thinks.
#pragma once

namespace kakehashi::bridge::cli {

/// From now on no core is dumped, and other processes of the same user can neither trace this one
/// nor read its memory or environment. Best effort: a kernel that refuses stops no game.
void keep_memory_private() noexcept;

}  // namespace kakehashi::bridge::cli
