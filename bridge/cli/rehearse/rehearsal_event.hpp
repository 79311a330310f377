// What a rehearsal takes over from an event: clock, move limit, the server's habits; and which faults
// it adds on the way. Plain values; fault_proxy.hpp and rehearsal_pair.hpp act on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace kakehashi::bridge::cli {

/// Sources: floodgate's and the tournaments' published settings, as observed.
struct EventHabits {
  std::string game_name;
  int max_moves = 256;
  /// Games are paired when the clock on the wall shows a multiple of this; nothing: at once.
  std::optional<base::Millis> pair_every;
  /// From AGREE to the server's hearing of it: START is long in coming.
  base::Millis agree_held{0};
  /// So many pairings at the beginning are rejected by the other side.
  int rejected_pairings = 0;
};

/// "wcsc", "denryu" or "floodgate".
[[nodiscard]] std::optional<EventHabits> habits_of(std::string_view event);

struct Faults {
  base::Millis delay_max{0};       ///< of what travels, either way, drawn each time
  bool cuts_after_login = false;   ///< the first login loses its line at once, and one in four later
  bool kills_engines = false;      ///< one engine in each game, in its middle
};

/// "none", "mild" or "wild".
[[nodiscard]] std::optional<Faults> faults_of(std::string_view word);

}  // namespace kakehashi::bridge::cli
