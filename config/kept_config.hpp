// What a bot leaves behind besides records and journals: the archive of its games, and its log. Part of
// bot_config.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace kakehashi::config {

/// The archive of finished games; any number of bots and processes share one file.
struct Archive {
  bool enabled = true;
  std::string file;  ///< empty: games.db in the records' directory
};

enum class LogLevel { debug, info, warn, error };
enum class LogFormat { text, json };

struct Log {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  std::string file;                       ///< empty: standard error
  std::uint64_t rotate_bytes = 10'000'000;  ///< 0: never
  int rotate_keep = 5;
};

}  // namespace kakehashi::config
