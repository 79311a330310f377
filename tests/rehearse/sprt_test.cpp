// The numbers of a series of games against those that others publish.
#include "rehearse/sprt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

namespace kakehashi::rehearse {
namespace {

struct Known {
  PairCounts pairs;
  double elo0;
  double elo1;
  double logistic;
  double normalized;
};

/// Computed with fishtest's own program (official-stockfish/fishtest, commit b8eecff of August 2026, LLR_logistic and
/// LLR_normalized of server/fishtest/stats/LLRcalc.py, on SciPy 1.10): it judges the tests of Stockfish.
/// The first three tables are those of its stat_util.py.
constexpr Known known_ratios[] = {
    {{10789, 19328, 33806, 19402, 10543}, 0, 5, -38.514408, -26.838449},
    {{10789, 19328, 33806, 19402, 10543}, -3, 1, 2.131068, 0.30087},
    {{39, 2226, 31451, 2412, 40}, 0, 5, -68.718702, 2.847899},
    {{39, 2226, 31451, 2412, 40}, -3, 1, 65.973585, 10.667041},
    {{1187, 7410, 13475, 7378, 1164}, 0, 5, -18.877471, -8.125814},
    {{1187, 7410, 13475, 7378, 1164}, -3, 1, 2.861527, 0.600266},
    {{1187, 7410, 13475, 7378, 1164}, 0, 100, -5389.910205, -2537.506404},
    {{3, 10, 20, 15, 7}, 0, 5, 0.29853, 0.232182},
    {{3, 10, 20, 15, 7}, 0, 100, -1.253879, 0.450318},
    {{12, 0, 25, 0, 9}, 0, 10, -0.230189, -0.218703},
    {{0, 0, 30, 5, 0}, 0, 100, -6.011342, 2.018885},
    {{40, 5, 30, 8, 52}, 0, 10, 0.47133, 0.542074},
    {{40, 5, 30, 8, 52}, 0, 100, -2.334002, -4.073678},
    {{1, 0, 0, 0, 0}, 0, 5, -0.014524, -0.020569},
    {{0, 0, 0, 0, 12}, 0, 100, 2.963952, 3.838928},
    {{100, 30, 210, 42, 131}, 0, 10, 1.757072, 1.736168},
    {{25, 3, 60, 2, 14}, -3, 1, -0.333332, -0.294049},
    {{5, 1, 12, 3, 9}, 0, 5, 0.136492, 0.13696},
    {{0, 0, 50, 0, 0}, 0, 100, -16.425076, -7.656818},
};

TEST(Sprt, the_likelihood_ratio_is_that_of_a_published_test_in_both_models) {
  for (const Known& known : known_ratios) {
    SprtRules rules;
    rules.elo0 = known.elo0;
    rules.elo1 = known.elo1;
    EXPECT_NEAR(log_likelihood_ratio(known.pairs, rules), known.logistic, 2e-6);
    rules.model = EloModel::normalized;
    EXPECT_NEAR(log_likelihood_ratio(known.pairs, rules), known.normalized, 2e-6);
  }
}

/// The same program's decision on each table: its bounds are log(beta / (1 - alpha)) and log((1 - beta) / alpha).
TEST(Sprt, its_decision_is_that_of_the_published_test) {
  for (const Known& known : known_ratios) {
    for (const auto model : {EloModel::logistic, EloModel::normalized}) {
      const double ratio = model == EloModel::logistic ? known.logistic : known.normalized;
      const SprtAnswer decided = ratio > 2.944439  ? SprtAnswer::h1
                                 : ratio < -2.944439 ? SprtAnswer::h0
                                                     : SprtAnswer::open;
      EXPECT_EQ(answer(known.pairs, {known.elo0, known.elo1, 0.05, 0.05, model}), decided);
    }
  }
}

TEST(Sprt, the_bounds_are_walds) {
  SprtRules rules;
  EXPECT_NEAR(rules.upper(), 2.944439, 1e-6);
  EXPECT_NEAR(rules.lower(), -2.944439, 1e-6);
  rules.alpha = 0.01;
  rules.beta = 0.1;
  EXPECT_NEAR(rules.upper(), std::log(90.0), 1e-12);
  EXPECT_NEAR(rules.lower(), std::log(0.1 / 0.99), 1e-12);
}

TEST(Sprt, before_a_pair_is_played_nothing_is_known) {
  EXPECT_EQ(log_likelihood_ratio({}, {}), 0);
  EXPECT_EQ(answer({}, {}), SprtAnswer::open);
  EXPECT_FALSE(estimate({}));
}

/// Changing the sides of all games turns everything round.
TEST(Sprt, it_is_the_same_from_the_other_side) {
  const PairCounts counts{3, 10, 20, 15, 7};
  const PairCounts turned{7, 15, 20, 10, 3};
  EXPECT_NEAR(log_likelihood_ratio(counts, {0, 10}), -log_likelihood_ratio(turned, {-10, 0}), 1e-9);
  EXPECT_NEAR(estimate(counts)->elo, -estimate(turned)->elo, 1e-9);
  EXPECT_NEAR(estimate(counts)->low, -estimate(turned)->high, 1e-9);
  EXPECT_NEAR(estimate(counts)->superiority, 1 - estimate(turned)->superiority, 1e-9);
}

/// As fishtest's get_elo() has it: the middle, half the width and the probability. Its interval is the plain normal
/// one; of many pairs both are the same.
TEST(Sprt, of_many_pairs_the_estimate_is_the_published_one) {
  struct {
    PairCounts pairs;
    double elo, half, superiority;
  } const published[] = {
      {{10789, 19328, 33806, 19402, 10543}, -0.773577, 1.277580, 0.117659},
      {{39, 2226, 31451, 2412, 40}, 0.902981, 0.662531, 0.996222},
      {{1187, 7410, 13475, 7378, 1164}, -0.442608, 1.729859, 0.308014},
      {{100, 30, 210, 42, 131}, 25.102295, 20.968389, 0.990799},
  };
  for (const auto& known : published) {
    const auto found = *estimate(known.pairs);
    EXPECT_NEAR(found.elo, known.elo, 1e-4);
    EXPECT_NEAR(found.high - found.elo, known.half, 0.005 * known.half);
    EXPECT_NEAR(found.elo - found.low, known.half, 0.005 * known.half);
    EXPECT_NEAR(found.superiority, known.superiority, 5e-4);
  }
}

/// The plain interval would be a point here.
TEST(Sprt, of_few_pairs_that_are_all_alike_little_is_said) {
  const auto even = *estimate({0, 0, 1, 0, 0});
  EXPECT_NEAR(even.elo, 0, 1e-9);
  EXPECT_LT(even.low, -100);
  EXPECT_GT(even.high, 100);
  EXPECT_NEAR(even.superiority, 0.5, 1e-9);
  const auto won = *estimate({0, 0, 0, 0, 2});  // four games, all won: Wilson's lower bound of 4 of 4 is 0.5101
  EXPECT_TRUE(std::isinf(won.elo) && std::isinf(won.high));
  EXPECT_NEAR(won.low, -400 * std::log10(1 / 0.51010 - 1), 0.05);
}

/// Of 400 tests each, between players whose difference is known; one game in five is drawn.
TEST(Sprt, it_errs_as_seldom_as_it_promises_and_takes_as_long_as_documented) {
  constexpr int tests = 400;
  const SprtRules rules{0, 50, 0.05, 0.05, EloModel::logistic};
  std::mt19937 random(20261123);
  const auto uniform = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  for (const double elo : {0.0, 50.0}) {
    const double won = 1 / (1 + std::pow(10.0, -elo / 400)) - 0.1;
    const auto game = [&] {
      const double drawn = uniform();
      return drawn < 0.2 ? 1 : uniform() < won / 0.8 ? 2 : 0;
    };
    int errors = 0;
    std::int64_t pairs = 0;
    for (int i = 0; i < tests; ++i) {
      PairCounts counts{};
      while (answer(counts, rules) == SprtAnswer::open) {
        ++counts.at(static_cast<std::size_t>(game() + game()));
      }
      errors += answer(counts, rules) == (elo == 0 ? SprtAnswer::h1 : SprtAnswer::h0) ? 1 : 0;
      pairs += pairs_in(counts);
    }
    EXPECT_LE(errors, 33) << "20 are expected at most, with a standard deviation of 4.4";
    EXPECT_GE(errors, 5);
    // A fifth fewer than without draws, which docs/comparing.md gives.
    EXPECT_NEAR(static_cast<double>(pairs) / tests, 110, 20);
  }
}

}  // namespace
}  // namespace kakehashi::rehearse
