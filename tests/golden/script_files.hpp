// Where the golden scripts stand, and the tests made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/script.hpp"

namespace kakehashi::golden {

/// The scripts, by name.
[[nodiscard]] std::vector<std::filesystem::path> files();
[[nodiscard]] std::string read_text(const std::filesystem::path& path);
[[nodiscard]] base::Result<support::Script> read(const std::filesystem::path& path);

void register_scripts();
void register_twins();
void register_deaths();

}  // namespace kakehashi::golden
