// Prepared starts (buoys): moves from which the next games of a name begin. Source: shogi-server's
// %%SETBUOY, %%DELETEBUOY and %%GETBUOYCOUNT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "csa/server/game_room.hpp"

namespace kakehashi::csa::server {

class Buoys {
 public:
  static constexpr std::size_t buoys_max = 256;
  static constexpr std::size_t moves_max = 512;
  static constexpr std::int64_t count_max = 1'000'000;

  /// `moves` is glued, "+7776FU-3334FU,T5+2726FU"; `count` games will start from them. Nothing on
  /// success, else the words after "##[ERROR] ".
  [[nodiscard]] std::optional<std::string> set(std::string_view game, std::string_view moves,
                                               std::string_view count, std::string_view owner);
  [[nodiscard]] std::optional<std::string> remove(std::string_view game, std::string_view owner);
  /// How many games are left; -1 when there is no such buoy.
  [[nodiscard]] std::int64_t count(std::string_view game) const;

  /// The moves for a game that begins now; counted as used. Nothing without a buoy.
  [[nodiscard]] std::vector<ListedMove> take(std::string_view game);

 private:
  struct Buoy {
    std::vector<ListedMove> moves;
    std::int64_t count = 1;
    std::string owner;
  };
  std::map<std::string, Buoy, std::less<>> buoys_;
};

}  // namespace kakehashi::csa::server
