// What a game name says, as far as a configuration can be judged by it. Pure text.
// Source: shogi-server, `<label>-<total>-<n>[F]` with an optional `-B` or `-W`, as observed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace kakehashi::config {

struct GameName {
  std::string label;
  base::Seconds total{0};
  base::Seconds per_move{0};  ///< byoyomi, or with is_fischer the increment; both 0: untimed
  bool is_fischer = false;
  bool is_stop_watch = false;  ///< "-0NN": whole slices of NN seconds are charged
  bool has_side = false;       ///< ends with "-B" or "-W"

  [[nodiscard]] bool is_floodgate() const { return label == "floodgate"; }
};

/// Nothing when the text is no game name.
[[nodiscard]] std::optional<GameName> parse_game_name(std::string_view text);

}  // namespace kakehashi::config
