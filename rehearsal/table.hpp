// A game room with the clients around it: who sits on which side, who looks on, and until when
// both must have agreed.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>

#include "base/time.hpp"
#include "rehearsal/game_room.hpp"
#include "rehearsal/session.hpp"

namespace kakehashi::rehearsal {

struct Table {
  GameRoom room;
  std::string game_name;
  base::WallTime paired_at{};
  base::SteadyTime agree_by{};
  std::array<std::optional<ConnectionId>, 2> seats;  ///< nothing: that side is gone
  std::array<std::string, 2> player_ids;
  std::set<ConnectionId> board_watchers;   ///< %%MONITORON
  std::set<ConnectionId> record_watchers;  ///< %%MONITOR2ON
};

}  // namespace kakehashi::rehearsal
