// Which of two players is the stronger one, as far as their games tell: the Elo with its interval, and the
// sequential test that says when enough games have been played. Games are counted in pairs from the same start
// with changed colors (pentanomial): what a start favours is in both of a pair and cancels, so that pairs say
// more than their games one by one. Pure numbers; it knows no game and no file.
// Sources: M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a
// multinomial distribution" (1.2, 1.3) and "Comments on normalized Elo" (4.1); A. Wald for the bounds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace kakehashi::rehearse {

/// Pairs by what the first player made of their two games, in half points: 0 (lost both) to 4 (won both).
using PairCounts = std::array<std::int64_t, 5>;

[[nodiscard]] std::int64_t pairs_in(const PairCounts& counts);

/// By how much the first player is the stronger one. Infinite where no bound can be given.
struct Estimate {
  double elo = 0;
  double low = 0;  ///< of 95 %
  double high = 0;
  double superiority = 0.5;  ///< how likely the first one is the stronger at all (LOS), 0 to 1
};

/// Nothing without a pair. Wilson's interval, with the spread that the pairs show: of few pairs it says
/// little, of many it is the usual one.
[[nodiscard]] std::optional<Estimate> estimate(const PairCounts& counts);

/// What the bounds of a test are given in. Normalized Elo counts the score in its own spread, so that a test
/// takes as many games whatever the players draw; where nobody draws, both are the same.
enum class EloModel { logistic, normalized };

struct SprtRules {
  double elo0 = 0;
  double elo1 = 5;      ///< above elo0
  double alpha = 0.05;  ///< how often H1 is accepted although the difference is elo0
  double beta = 0.05;   ///< how often H0 is accepted although it is elo1
  EloModel model = EloModel::logistic;

  [[nodiscard]] double lower() const;
  [[nodiscard]] double upper() const;
  friend bool operator==(const SprtRules&, const SprtRules&) = default;
};

/// h1: the difference is elo1 rather than elo0.
enum class SprtAnswer { open, h0, h1 };

/// Of elo1 against elo0, generalized: of the likeliest players with either difference. 0 without a pair.
[[nodiscard]] double log_likelihood_ratio(const PairCounts& counts, const SprtRules& rules);
[[nodiscard]] SprtAnswer answer(const PairCounts& counts, const SprtRules& rules);

}  // namespace kakehashi::rehearse
