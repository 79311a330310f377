// What many games come to: results by opponent, color, clock and week, how sure they are, where games
// were lost, what became of the time. Pure; it takes one game after the other and keeps none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "games/archived_game.hpp"
#include "words/words.hpp"

namespace kakehashi::games {

struct Score {
  std::int64_t wins = 0;
  std::int64_t losses = 0;
  std::int64_t draws = 0;
  std::int64_t without_result = 0;

  void take(const std::string& outcome);
  /// With a result.
  [[nodiscard]] std::int64_t decided() const { return wins + losses + draws; }
  /// A draw is half a win. 0 without games.
  [[nodiscard]] double rate() const;
};

struct Interval {
  double low = 0;
  double high = 1;
};

/// Wilson's score interval of 95 %, of a score in which a draw is half a win. 0 to 1 without games.
[[nodiscard]] Interval wilson(const Score& score);

/// By how much we are stronger than those opponents together; 400 means ten to one.
struct Elo {
  std::optional<double> estimate;  ///< nothing when all were won or all lost, or none played
  std::optional<double> low;       ///< nothing: no bound that way
  std::optional<double> high;
};
[[nodiscard]] Elo elo(const Score& score);

/// "2026-W01": the week of ISO 8601 in which an instant (UTC) lies.
[[nodiscard]] std::string iso_week(std::int64_t at_ms);

struct Statistics {
  Score all;
  std::map<std::string, Score> by_opponent;
  std::map<std::string, Score> by_color;  ///< "black", "white"
  std::map<std::string, Score> by_clock;
  std::map<std::string, Score> by_week;
  std::map<std::string, std::int64_t> reasons_of_losses;
  std::int64_t plies = 0;
  std::int64_t our_time_ms = 0;
  std::int64_t their_time_ms = 0;
  std::int64_t games_with_time = 0;
  TimeUse time;                        ///< of those games
  std::int64_t games_with_rescue = 0;
  std::int64_t rescues = 0;
  std::int64_t ponder_searches = 0;
  std::int64_t ponder_hits = 0;
  std::int64_t ponder_gained_ms = 0;

  /// More opponents than this are "(others)": a server may pair us with anyone.
  static constexpr std::size_t opponents_max = 10'000;

  void take(const ArchivedGame& game);
  [[nodiscard]] std::int64_t games() const { return all.decided() + all.without_result; }
};

/// For a terminal.
[[nodiscard]] std::string show(const Statistics& statistics, words::Language language);
/// As JSON: docs/records.md.
[[nodiscard]] std::string json(const Statistics& statistics);

}  // namespace kakehashi::games
