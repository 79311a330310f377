// How long known engines think on a clock, as measured and as their sources say: enough to tell their readings
// apart, in a quiet middle game. For the fake engine and for tests in virtual time.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::test {

/// In milliseconds; of the side to move and the other one.
struct ToldClock {
  long own = 0;
  long other = 0;
  long byoyomi = 0;
  std::optional<long> increment{};
};

struct Thinks {
  bool dies = false;
  std::optional<long> ms{};  ///< nothing: until it is told to stop
};

/// "yaneuraou-9.40", "yaneuraou-9.70", "fairy-11.1", "fairy-14", "gpsshogi", "slow" (never under 3 s).
/// `keeps` is NetworkDelay2 where the engine has it.
inline Thinks thinking_time(std::string_view model, const ToldClock& clock, long keeps = 1'120) {
  const long increment = clock.increment.value_or(0);
  if (model.starts_with("yaneuraou")) {
    const bool adds = model == "yaneuraou-9.40";
    const long limit = std::max(100L, clock.own + clock.byoyomi + (adds ? increment : 0) - keeps);
    const long plan = std::max(2'000L, clock.own / 30 + increment + clock.byoyomi);
    return {.ms = std::min(limit, plan)};
  }
  if (model == "fairy-11.1") {  // takes the other side's clock
    const long left = clock.other + clock.byoyomi;
    return {.ms = std::max(10L, std::min(left - 30, left / 20 + increment))};
  }
  if (model == "fairy-14") {
    const long left = clock.own + clock.byoyomi;
    if (left == 0 && clock.other + clock.byoyomi == 0) {
      return {};
    }
    return {.ms = std::max(5L, std::min(left * 8 / 10 - 10, left / 20 + increment))};
  }
  if (model == "gpsshogi") {
    return {.dies = clock.increment.has_value(),
            .ms = clock.byoyomi > 0 ? clock.own / 4 + clock.byoyomi * 98 / 100 : std::min(1'200L, clock.own)};
  }
  return {.ms = std::max(3'000L, clock.own / 30)};
}

/// Reads a USI go line.
inline ToldClock told_clock(const std::string& go, bool is_black) {
  const auto number = [&](const std::string& word) -> std::optional<long> {
    const std::size_t at = go.find(" " + word + " ");
    return at == std::string::npos ? std::nullopt
                                   : std::optional(std::strtol(go.c_str() + at + word.size() + 2, nullptr, 10));
  };
  return {number(is_black ? "btime" : "wtime").value_or(0), number(is_black ? "wtime" : "btime").value_or(0),
          number("byoyomi").value_or(0), number(is_black ? "binc" : "winc")};
}

}  // namespace kakehashi::test
