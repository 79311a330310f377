// A program of the machine's, such as systemctl, with this program's terminal.
#pragma once

#include <string>
#include <vector>

namespace kakehashi::cli {

/// Waits for it. Its exit status; -1 where it cannot be run.
int run_command(const std::vector<std::string>& words);

}  // namespace kakehashi::cli
