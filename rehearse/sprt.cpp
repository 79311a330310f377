#include "rehearse/sprt.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace kakehashi::rehearse {
namespace {

using Weights = std::array<double, 5>;

constexpr Weights points{0.0, 0.25, 0.5, 0.75, 1.0};  // of a pair, as a share
constexpr double z95 = 1.959963984540054;
/// 800 / ln 10: so many normalized Elo are one standard deviation of a game.
constexpr double nelo_of_deviation = 347.4355855226014;

double score_of(double elo) { return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0)); }

double elo_of(double score) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double least = 1e-9;  // at either end rounding leaves a bound a hair beside 0 or 1
  return score < least       ? -infinite
         : score > 1 - least ? infinite
                             : -400.0 * std::log10(1.0 / score - 1.0);
}

double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

struct Spread {
  double mean = 0.5;
  double variance = 0;
};

Spread spread_of(const Weights& values, const Weights& shares) {
  Spread spread;
  spread.mean = std::inner_product(values.begin(), values.end(), shares.begin(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    spread.variance += shares[i] * (values[i] - spread.mean) * (values[i] - spread.mean);
  }
  return spread;
}

struct Sample {
  double pairs = 0;
  Weights shares{};
};

/// What did not come up counts as a thousandth of a pair, as testing frameworks have it: a likelihood must not
/// vanish.
Sample sample_of(const PairCounts& counts) {
  constexpr double trace = 1e-3;
  Sample sample;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sample.shares[i] = counts[i] == 0 ? trace : static_cast<double>(counts[i]);
    sample.pairs += sample.shares[i];
  }
  for (double& share : sample.shares) {
    share /= sample.pairs;
  }
  return sample;
}

/// The variance of a pair's score relative to that of one game without draws, 0 to 1. A pair of independent
/// games has a half; that is believed like one pair that was seen.
double relative_variance(const Spread& seen, double pairs) {
  constexpr double of_independent_games = 0.5;
  const double of_one_game = seen.mean * (1 - seen.mean);
  if (of_one_game <= 0) {
    return of_independent_games;
  }
  return (pairs * seen.variance / of_one_game + of_independent_games) / (pairs + 1);
}

Spread seen_in(const PairCounts& counts, double pairs) {
  Weights shares{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    shares[i] = static_cast<double>(counts[i]) / pairs;
  }
  return spread_of(points, shares);
}

/// The x at which the sum of share·v / (1 + x·v) vanishes. It falls all the way between the poles of the least
/// and the greatest v, which lie on either side of 0.
double root_of_likelihood(const Weights& values, const Weights& shares) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  double low = -1.0 / *greatest;
  double high = -1.0 / *least;
  constexpr int halvings = 200;  // more than the digits of a double
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      sum += shares[k] * values[k] / (1.0 + middle * values[k]);
    }
    (sum > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

/// The likeliest distribution behind the sample in which the mean of `values` is 0.
Weights likeliest(const Weights& values, const Weights& shares) {
  const double x = root_of_likelihood(values, shares);
  Weights found{};
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = shares[i] / (1.0 + x * values[i]);
  }
  return found;
}

Weights likeliest_with_score(const Weights& shares, double score) {
  Weights values = points;
  for (double& value : values) {
    value -= score;
  }
  return likeliest(values, shares);
}

/// In which the score is so many of its own standard deviations above a half. That is no mean; the condition is
/// made one around the last solution until it stays where it is.
Weights likeliest_with_deviations(const Weights& shares, double deviations) {
  constexpr int rounds = 50;
  constexpr double still = 1e-12;
  Weights found;
  found.fill(1.0 / static_cast<double>(found.size()));
  for (int i = 0; i < rounds; ++i) {
    const Spread spread = spread_of(points, found);
    const double deviation = std::sqrt(spread.variance);
    Weights values{};
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double off = (spread.mean - points[k]) / deviation;
      values[k] = points[k] - 0.5 - deviations * deviation * (1 + off * off) / 2;
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    if (*least >= 0 || *greatest <= 0) {
      break;  // a difference that no distribution of five outcomes has
    }
    const Weights next = likeliest(values, shares);
    double change = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      change = std::max(change, std::abs(next[k] - found[k]));
    }
    found = next;
    if (change < still) {
      break;
    }
  }
  return found;
}

Weights likeliest_with_elo(const Weights& shares, double elo, EloModel model) {
  switch (model) {
    case EloModel::logistic: return likeliest_with_score(shares, score_of(elo));
    // A pair's score spreads less than a game's, by the root of two.
    case EloModel::normalized: return likeliest_with_deviations(shares, std::sqrt(2.0) * elo / nelo_of_deviation);
  }
  return shares;
}

}  // namespace

std::int64_t pairs_in(const PairCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::optional<Estimate> estimate(const PairCounts& counts) {
  const auto pairs = static_cast<double>(pairs_in(counts));
  if (pairs <= 0) {
    return std::nullopt;
  }
  const Spread seen = seen_in(counts, pairs);
  const double games = pairs / relative_variance(seen, pairs);  // without draws, that would say as much
  const double scale = 1 + z95 * z95 / games;
  const double center = seen.mean + z95 * z95 / (2 * games);
  const double half =
      z95 * std::sqrt(seen.mean * (1 - seen.mean) / games + z95 * z95 / (4 * games * games));
  Estimate found;
  found.elo = elo_of(seen.mean);
  found.low = elo_of(std::max(0.0, (center - half) / scale));
  found.high = elo_of(std::min(1.0, (center + half) / scale));
  found.superiority = normal_below((seen.mean - 0.5) * 2 * std::sqrt(games));
  return found;
}

double SprtRules::lower() const { return std::log(beta / (1 - alpha)); }
double SprtRules::upper() const { return std::log((1 - beta) / alpha); }

double log_likelihood_ratio(const PairCounts& counts, const SprtRules& rules) {
  if (pairs_in(counts) == 0) {
    return 0;
  }
  const Sample sample = sample_of(counts);
  const Weights with0 = likeliest_with_elo(sample.shares, rules.elo0, rules.model);
  const Weights with1 = likeliest_with_elo(sample.shares, rules.elo1, rules.model);
  double ratio = 0;
  for (std::size_t i = 0; i < sample.shares.size(); ++i) {
    ratio += sample.shares[i] * std::log(with1[i] / with0[i]);
  }
  return sample.pairs * ratio;
}

SprtAnswer answer(const PairCounts& counts, const SprtRules& rules) {
  const double ratio = log_likelihood_ratio(counts, rules);
  return ratio >= rules.upper()   ? SprtAnswer::h1
         : ratio <= rules.lower() ? SprtAnswer::h0
                                  : SprtAnswer::open;
}

}  // namespace kakehashi::rehearse
