// Engine options that keep time back for a network: with the bridge's own margin the same time is
// kept back twice. Which options those are is one table, in engine_delays.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "usi/option.hpp"

namespace kakehashi::bridge {

struct EngineDelay {
  std::string option;
  base::Millis time{0};
  /// It comes off the limit of each move, whatever the clock: what the bridge keeps back counts for both.
  bool is_of_each_move = false;
};

/// Those among the declared options that keep back enough to matter. `set` gives the value that the
/// user has set for a name, or nullptr; without one the declared default counts.
[[nodiscard]] std::vector<EngineDelay> engine_delays(
    const std::vector<usi::Option>& declared,
    const std::function<const std::string*(const std::string&)>& set);

/// Less is no loss worth a word.
inline constexpr base::Millis engine_delay_min{200};

}  // namespace kakehashi::bridge
