// The lines that are sent to an engine.
// Source: USI draft 1 and the Shogidokoro definition, "go", "position", "setoption".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
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

/// "btime 1000 wtime 2000 byoyomi 500" etc.; negative values are sent as 0.
[[nodiscard]] std::string format_times(const GoTimes& times);
[[nodiscard]] std::string format_go(const GoTimes& times, bool ponder);
[[nodiscard]] std::string format_setoption(const OptionSetting& setting);

enum class GameOver { win, lose, draw };
[[nodiscard]] std::string format_gameover(GameOver result);

}  // namespace kakehashi::usi
