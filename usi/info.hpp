// One `info` line. Source: USI draft 1 and the Shogidokoro definition, "info".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::usi {

/// From the side to move's point of view.
struct Score {
  enum class Bound { exact, lower, upper };
  bool is_mate = false;
  /// Centipawns; or plies to mate, negative when being mated, and 0 when only the sign is known.
  std::int64_t value = 0;
  bool mate_is_lost = false;  ///< for "mate -" and negative mates
  Bound bound = Bound::exact;

  friend bool operator==(const Score&, const Score&) = default;
};

/// Fields that were absent stay empty. Unknown words are skipped.
struct Info {
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> seldepth;
  std::optional<std::int64_t> time_ms;
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> nps;
  std::optional<std::int64_t> hashfull;  ///< per mille
  std::optional<std::int64_t> multipv;   ///< 1 is the best line
  std::optional<Score> score;
  std::string currmove;
  std::vector<std::string> pv;  ///< moves as the engine wrote them
  std::optional<std::string> string;  ///< `info string`, to the end of the line

  friend bool operator==(const Info&, const Info&) = default;
};

/// The line after the word "info". Total: what cannot be read is skipped.
[[nodiscard]] Info parse_info(std::string_view text);

}  // namespace kakehashi::usi
