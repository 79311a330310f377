// The room rehearse: series of games for practice. It owns how they are set up, shown and counted; it touches no
// socket and no file, and nobody but the commands knows it.
//
// A series of games between two players: which game comes next, from where and with which colors, what the games
// came to, and whether enough have been played. Pure; who plays them and where the results are kept is
// rehearsal_pair.hpp's and series_file.hpp's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "csa/client_session.hpp"
#include "rehearse/sprt.hpp"

namespace kakehashi::rehearse {

struct SeriesRules {
  int games = 1;                  ///< at most
  std::size_t starts = 1;         ///< each is played twice, then the next; behind the last the first again
  std::optional<SprtRules> sprt;  ///< ends the series when it has its answer
};

/// Games are numbered from 1. Number 1 and 2 are a pair, and so on: one start, changed colors.
struct SeriesGame {
  int number = 1;
  bool first_is_black = true;
  std::size_t start = 0;  ///< from 0

  friend bool operator==(const SeriesGame&, const SeriesGame&) = default;
};

struct SeriesResult {
  int number = 1;
  csa::Outcome outcome = csa::Outcome::none;  ///< for the first player
  std::string reason;                         ///< "toryo", "time up": rehearse/server/game_report.hpp
  int plies = 0;                              ///< those of the start left out
  std::uint64_t moves = 0;                    ///< a digest of the start and the moves, to notice a game that comes again

  friend bool operator==(const SeriesResult&, const SeriesResult&) = default;
};

class Series {
 public:
  explicit Series(const SeriesRules& rules) : rules_(rules) {}

  /// The first game that is neither played nor being played; nothing when all are, or the answer is known.
  [[nodiscard]] std::optional<SeriesGame> begin_next();
  /// False, and nothing counted, for a game without a result and one that was counted before.
  bool take(const SeriesResult& result);

  [[nodiscard]] const SeriesRules& rules() const { return rules_; }
  [[nodiscard]] int played() const { return static_cast<int>(half_points_.size()); }
  /// Of the first player.
  [[nodiscard]] int count(csa::Outcome outcome) const;
  /// Those of which both games are played.
  [[nodiscard]] const PairCounts& pairs() const { return pairs_; }
  /// By the first player's outcome and the reason.
  [[nodiscard]] const std::map<std::pair<csa::Outcome, std::string>, int>& endings() const { return endings_; }
  /// Games that were the same as an earlier one, move by move: they tell nothing new.
  [[nodiscard]] int repeated() const { return repeated_; }

  [[nodiscard]] SprtAnswer answer() const;
  [[nodiscard]] bool is_over() const { return played() >= rules_.games || answer() != SprtAnswer::open; }

 private:
  SeriesRules rules_;
  std::map<int, int> half_points_;  ///< of the first player, by game
  std::set<int> begun_;             ///< and not played to an end
  int first_open_ = 1;              ///< no game before it is left to be begun
  PairCounts pairs_{};
  std::map<std::pair<csa::Outcome, std::string>, int> endings_;
  std::set<std::uint64_t> moves_;
  int repeated_ = 0;
};

}  // namespace kakehashi::rehearse
