// `kakehashi serve`: the embedded CSA server by itself, for trying any client against the rules,
// the words and the odd corners of shogi-server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace kakehashi::bridge::cli {

struct ServeOptions {
  std::string listen_address = "127.0.0.1";
  std::uint16_t port = 4081;  ///< 0: any free one
  std::string event = "local";
  int max_moves = 256;
  std::int64_t least_time_s = 0;
  /// Floodgate names are paired at multiples of this; nothing: as soon as two wait.
  std::optional<base::Millis> pair_every = base::Millis{30 * 60 * 1000};
  bool late_time_up = false;
  bool is_strict = false;
  bool nagle = false;
  bool shows_lines = false;
  std::optional<std::uint64_t> seed;  ///< nothing: another one each time
};

/// Runs until SIGTERM or SIGINT; returns the exit status.
[[nodiscard]] int serve(const ServeOptions& options);

}  // namespace kakehashi::bridge::cli
