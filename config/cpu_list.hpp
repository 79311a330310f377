// Processors as people list them: "0-3,8". The numbers are those of the kernel.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace kakehashi::config {

/// In rising order and each once; nothing when the text is no list, or names more than cpu_max.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

inline constexpr int cpu_max = 1023;

}  // namespace kakehashi::config
