// How much memory this process holds, for its metrics.
#pragma once

#include <cstdint>

namespace kakehashi::bridge::cli {

/// 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_bytes();

}  // namespace kakehashi::bridge::cli
