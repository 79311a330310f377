// One `info` line. Must not know processes, nor read a clock. Source: USI draft 1 and the
// Shogidokoro definition, "info"; UCI, TEI and UCGI, whose fields are the same but for the kinds of score.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

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

/// The fields that somebody asks for; absent ones stay empty.
struct Info {
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> seldepth;
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> nps;
  std::optional<std::int64_t> hashfull;  ///< per mille
  std::optional<std::int64_t> multipv;   ///< 1 is the best line
  std::optional<Score> score;            ///< "cp", "mate"; TEI's "solved win 3" is a mate in 3
  std::vector<std::string> pv;  ///< moves as the engine wrote them
  std::optional<std::string> string;  ///< `info string`, to the end of the line
  std::optional<std::string> error;      ///< TEI's `info error`, to the end of the line
  std::vector<std::string> skipped;      ///< words that belong to no field, at most skipped_max

  static constexpr std::size_t skipped_max = 32;

  friend bool operator==(const Info&, const Info&) = default;
};

/// The line after the word "info". Total: what cannot be read is skipped.
[[nodiscard]] Info parse_info(std::string_view text);

}  // namespace kakehashi::usi
