// The journal as configured. It reads nothing.
#pragma once

#include <cstdint>
#include <string>

namespace kakehashi::config {

/// What happened to a bot, line by line, so that it can be completed, looked at and repeated.
struct Journal {
  bool enabled = true;
  std::string directory;                ///< empty: "journal" beside the records' directory
  int keep = 50;                        ///< files, each of one game
  std::uint64_t bytes_max = 100'000'000;  ///< of one file; 0: no limit
};

}  // namespace kakehashi::config
