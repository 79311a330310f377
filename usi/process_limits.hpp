// What a child process may take of the machine, as plain data; usi/io/spawn applies it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::usi {

struct ProcessLimits {
  std::uint64_t memory = 0;         ///< bytes of data and anonymous memory (RLIMIT_DATA); 0: no limit
  std::uint64_t address_space = 0;  ///< bytes (RLIMIT_AS); 0: no limit
  std::optional<int> open_files{};  ///< RLIMIT_NOFILE
  bool core_dumps = true;
  int nice = 0;                     ///< 0 to 19
  std::string cpus{};               ///< that it may run on, "0-3,8"; empty: all
};

/// Processors as people list them, by the kernel's numbers: in rising order and each once; nothing when the text is no
/// list, or names more than cpu_max.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

inline constexpr int cpu_max = 1023;

}  // namespace kakehashi::usi
