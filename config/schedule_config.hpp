// When a bot plays, as configured. What follows from it at a given instant is bridge/schedule's business.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.hpp"

namespace kakehashi::config {

/// From an instant on, local time is that much ahead of UTC.
struct ZoneOffset {
  std::int64_t since_s = 0;  ///< seconds since 1970, UTC
  std::chrono::seconds ahead{0};

  friend bool operator==(const ZoneOffset&, const ZoneOffset&) = default;
};

struct Schedule {
  std::vector<std::string> windows;  ///< as schedule_window.hpp reads them; empty: always
  std::string time_zone = "local";
  base::Millis early{60'000};        ///< logged in so long before a window opens
  /// Of the zone, by instant; the first one counts before its instant too. The shell fills it in.
  std::vector<ZoneOffset> offsets;
};

}  // namespace kakehashi::config
