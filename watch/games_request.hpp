// What the addresses below /api/v1/games ask for. Pure: the shell asks the archive, on a thread of its
// own, and games spells the answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "games/game_filter.hpp"
#include "shogi/record/format.hpp"

namespace kakehashi::watch {

struct ListGames { games::GameFilter filter; };   ///< /api/v1/games?…
struct CountGames { games::GameFilter filter; };  ///< /api/v1/stats?…
struct OneGame {                           ///< /api/v1/games/ID?bot=…&format=…
  std::int64_t id = 0;
  std::string bot;  ///< whose archive; empty: the first
  std::optional<shogi::record::Format> format{};  ///< nothing: JSON
};
using GamesRequest = std::variant<ListGames, CountGames, OneGame>;

[[nodiscard]] bool asks_for_games(std::string_view target);
/// Why not, when the conditions are not understood.
[[nodiscard]] base::Result<GamesRequest, std::string> parse_games_request(std::string_view target,
                                                                          std::int64_t now_ms);
/// Whose archive is asked; empty: the first one.
[[nodiscard]] const std::string& bot_of(const GamesRequest& request);

}  // namespace kakehashi::watch
