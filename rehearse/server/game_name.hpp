// What a game name says: its clock, a handicap, floodgate. Pure text; it
// knows no player and no game. Source: shogi-server, `<label>-<total>-<n>[F]`, as observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shogi/move.hpp"

namespace kakehashi::rehearse::server {

/// The clock of a game, in the whole seconds in which shogi-server counts.
struct ClockRules {
  std::int64_t total_s = 0;
  std::int64_t byoyomi_s = 0;    ///< with is_stop_watch: the slice that is charged
  std::int64_t increment_s = 0;  ///< never together with byoyomi
  std::int64_t least_time_s = 0;
  bool is_stop_watch = false;  ///< "-0NN": whole slices of NN seconds are charged

  [[nodiscard]] bool is_untimed() const {
    return total_s == 0 && byoyomi_s == 0 && increment_s == 0;
  }
  friend bool operator==(const ClockRules&, const ClockRules&) = default;
};

/// The longest identifier: a player's name, or the label of a game name.
inline constexpr std::size_t identifier_bytes_max = 32;

/// Letters, digits and `_ @ - .`, 1 to identifier_bytes_max bytes: what shogi-server takes for a
/// player's name and for the label of a game.
[[nodiscard]] bool is_identifier(std::string_view text);

struct GameName {
  std::string text;  ///< without a color suffix
  ClockRules clock;  ///< least_time_s is left at 0
  std::optional<std::string> handicap;  ///< "hc2p", ... : the start that the label asks for
  bool is_floodgate = false;            ///< paired by the clock on the wall only

  friend bool operator==(const GameName&, const GameName&) = default;
};

/// Nothing when the name is none: no `-<total>-<n>` tail, more than nine digits, a bad label.
[[nodiscard]] std::optional<GameName> parse_game_name(std::string_view text);

/// "-B", "-b": black. "-W", "-w": white. Cut off from `text` when there.
[[nodiscard]] std::optional<shogi::Color> take_color_suffix(std::string_view& text);

/// Where shogi-server puts a player whose game name it cannot read.
inline constexpr std::string_view default_game_name = "default-1500-0";

}  // namespace kakehashi::rehearse::server
