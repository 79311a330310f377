// How much memory a process holds, as the system says.
#pragma once

#include <cstdint>
#include <string>

namespace kakehashi::bridge::cli {

/// In bytes, of the process of that number, or of "self"; 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_bytes(const std::string& process);

}  // namespace kakehashi::bridge::cli
