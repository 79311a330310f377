// The lines that are sent to an engine, in USI and in the words of the other protocols.
// Source: USI draft 1 and the Shogidokoro definition, "go", "position", "setoption"; UCI, TEI, UCGI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "usi/dialect.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

/// The clocks of a `go`. Byoyomi and increments never stand together (the protocols forbid it).
struct GoTimes {
  base::Millis btime{0};
  base::Millis wtime{0};
  std::optional<base::Millis> byoyomi{};
  std::optional<base::Millis> binc{};
  std::optional<base::Millis> winc{};

  friend bool operator==(const GoTimes&, const GoTimes&) = default;
};

/// What a `go` of the bridge may say. btime is the clock of who moves first, whatever the protocol.
struct GoLimits {
  bool is_ponder = false;
  bool is_infinite = false;
  std::optional<GoTimes> times{};
};

/// "btime 1000 wtime 2000 byoyomi 500" etc.; negative values are sent as 0.
[[nodiscard]] std::string format_times(const GoTimes& times);
[[nodiscard]] std::string format_go(const GoTimes& times, bool ponder);
/// In the words of a protocol. Where it has no byoyomi, byoyomi alone becomes a movetime, and
/// byoyomi behind main time a clock that already holds it and gets it back with each move; such a
/// clock never promises more for the present move than there is.
[[nodiscard]] std::string format_go(const Dialect& dialect, const GoLimits& limits);
/// Reads a USI `go` line; unknown words are skipped.
[[nodiscard]] GoLimits parse_go(std::string_view line);

[[nodiscard]] std::string format_setoption(const OptionSetting& setting);

enum class GameOver { win, lose, draw };
[[nodiscard]] std::string format_gameover(GameOver result);

}  // namespace kakehashi::usi
