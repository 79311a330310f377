// Reads the lines of one "BEGIN Time" block. Time_Unit applies to every number of the block,
// wherever it stands. Source: CSA server protocol 1.2.1, "Time".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "csa/time_control.hpp"

namespace kakehashi::csa {

class TimeBlock {
 public:
  /// One "Key:value" line. Returns a remark when it was not understood; it is left out then.
  [[nodiscard]] std::optional<std::string> feed(std::string_view key, std::string_view value);

  /// The clock. `game_id` tells a stop-watch game of shogi-server ("…-900-060+…"), whose unit of
  /// one minute is wrong: its numbers are seconds.
  [[nodiscard]] TimeControl finish(std::string_view game_id) const;

 private:
  base::Millis unit_{1'000};
  bool unit_is_minute_ = false;
  std::optional<std::int64_t> total_;
  std::int64_t byoyomi_ = 0;
  std::int64_t increment_ = 0;
  std::int64_t delay_ = 0;
  std::int64_t least_ = 0;
  bool rounds_up_ = false;
};

}  // namespace kakehashi::csa
