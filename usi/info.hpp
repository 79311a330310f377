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

/// Win, draw and loss in per mille, as many engines of today give them.
struct WinDrawLoss {
  std::int64_t win = 0;
  std::int64_t draw = 0;
  std::int64_t loss = 0;

  friend bool operator==(const WinDrawLoss&, const WinDrawLoss&) = default;
};

/// Fields that were absent stay empty.
struct Info {
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> seldepth;
  std::optional<std::int64_t> time_ms;
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> nps;
  std::optional<std::int64_t> hashfull;  ///< per mille
  std::optional<std::int64_t> multipv;   ///< 1 is the best line
  std::optional<Score> score;            ///< "cp", "mate"; TEI's "solved win 3" is a mate in 3
  std::string currmove;
  std::vector<std::string> pv;  ///< moves as the engine wrote them
  std::optional<std::string> string;  ///< `info string`, to the end of the line
  std::optional<std::int64_t> currmovenumber;  ///< from 1
  std::optional<std::int64_t> cpuload;         ///< per mille
  std::optional<std::int64_t> tbhits;
  std::optional<WinDrawLoss> wdl;
  std::optional<double> win_percent;  ///< UCGI's "score wp"
  std::optional<double> equity;       ///< UCGI's "score eq"
  std::vector<std::string> refutation;  ///< the move, and the line that refutes it
  std::optional<std::int64_t> currline_cpu;
  std::vector<std::string> currline;
  /// Further lines of a TEI "multipv 1 … multipv 2 …" line, from the second on.
  std::vector<std::vector<std::string>> variations;
  std::vector<std::string> pre_endgame;  ///< UCGI's "peg"
  std::optional<std::string> error;      ///< TEI's `info error`, to the end of the line
  std::vector<std::string> skipped;      ///< words that belong to no field, at most skipped_max

  static constexpr std::size_t skipped_max = 32;

  friend bool operator==(const Info&, const Info&) = default;
};

/// The line after the word "info". Total: what cannot be read is skipped.
[[nodiscard]] Info parse_info(std::string_view text);

}  // namespace kakehashi::usi
