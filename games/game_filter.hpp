// Which games of the archive are wanted: as a person says it on a command line or in an address, and
// as values. Pure; io/archive asks the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::games {

struct GameFilter {
  /// Exactly so; where a text has a '*', that stands for anything. Empty: any.
  std::string bot;
  std::string opponent;
  std::string game_name;
  std::string outcome;                    ///< "win", "lose", "draw", "none"
  std::optional<bool> is_black;
  std::optional<std::int64_t> since_ms;   ///< started then or later
  std::optional<std::int64_t> until_ms;   ///< started before
  std::optional<std::int64_t> before_id;  ///< behind this one in the list, which begins with the latest
  std::int64_t limit = limit_default;     ///< of lists only

  static constexpr std::int64_t limit_default = 50;
  static constexpr std::int64_t limit_max = 1000;  ///< of an address
};

/// Milliseconds since 1970 of "2026-01-02", "2026-01-02T03:04", or "7d" and "12h" before `now_ms`.
/// Dates are UTC.
[[nodiscard]] std::optional<std::int64_t> parse_instant(std::string_view text, std::int64_t now_ms);

/// One condition by its name: bot, opponent, game, result, color, since, until, before, limit. Why
/// not, when it is not understood.
[[nodiscard]] std::optional<base::Message> set_condition(GameFilter& filter, std::string_view name,
                                                         std::string_view value, std::int64_t now_ms);

/// "opponent=foe&result=lose", percent-encoded as browsers do.
[[nodiscard]] base::Result<GameFilter, base::Message> parse_query(std::string_view query,
                                                                  std::int64_t now_ms);

}  // namespace kakehashi::games
