// The record of a running game so far, in the lines that %%MONITOR2ON shows first. Complete
// records are the bridges' business.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "rehearsal/game_room.hpp"

namespace kakehashi::rehearsal {

/// `player_ids`: "name+<md5>" of black and white. Without a trip on both sides nobody is rated.
[[nodiscard]] std::vector<std::string> record_head(const GameRoom& room,
                                                   const std::array<std::string, 2>& player_ids,
                                                   base::WallTime paired_at);

}  // namespace kakehashi::rehearsal
