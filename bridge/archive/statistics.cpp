#include "bridge/archive/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace kakehashi::bridge::archive {

namespace {

constexpr double z = 1.959963984540054;  // 95 %

double elo_of(double rate) { return 400.0 * std::log10(rate / (1.0 - rate)); }

}  // namespace

void Score::take(const std::string& outcome) {
  ++(outcome == "win" ? wins : outcome == "lose" ? losses : outcome == "draw" ? draws : without_result);
}

double Score::rate() const {
  const auto count = static_cast<double>(decided());
  return count > 0 ? (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) / count : 0.0;
}

Interval wilson(const Score& score) {
  const auto n = static_cast<double>(score.decided());
  if (n <= 0) {
    return {};
  }
  const double p = score.rate();
  const double center = p + z * z / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (center - half) / scale), std::min(1.0, (center + half) / scale)};
}

Elo elo(const Score& score) {
  Elo result;
  const double rate = score.rate();
  if (score.decided() == 0) {
    return result;
  }
  // At either end rounding leaves the bound a hair beside 0 or 1.
  constexpr double least = 1e-9;
  const Interval interval = wilson(score);
  if (rate > 0 && rate < 1) {
    result.estimate = elo_of(rate);
  }
  if (rate > 0 && interval.low > least) {
    result.low = elo_of(interval.low);
  }
  if (rate < 1 && interval.high < 1 - least) {
    result.high = elo_of(interval.high);
  }
  return result;
}

std::string iso_week(std::int64_t at_ms) {
  using namespace std::chrono;
  const auto day = floor<days>(sys_time<milliseconds>(milliseconds(at_ms)));
  // The week belongs to the year of its Thursday.
  const auto thursday = day - (weekday(day) - Monday) + days(3);
  const year_month_day date(thursday);
  const auto first = sys_days(date.year() / January / 1);
  return fmt::format("{:04}-W{:02}", static_cast<int>(date.year()), (thursday - first).count() / 7 + 1);
}

void Statistics::take(const ArchivedGame& game) {
  all.take(game.outcome);
  const bool is_known =
      by_opponent.size() < opponents_max || by_opponent.find(game.opponent) != by_opponent.end();
  by_opponent[is_known ? game.opponent : "(others)"].take(game.outcome);
  by_color[game.is_black ? "black" : "white"].take(game.outcome);
  by_clock[game.clock].take(game.outcome);
  by_week[iso_week(game.started_ms)].take(game.outcome);
  if (game.outcome == "lose") {
    ++reasons_of_losses[game.reason.empty() ? "(not told)" : game.reason];
  }
  plies += game.plies;
  our_time_ms += game.our_time_ms;
  their_time_ms += game.their_time_ms;
  if (game.time) {
    ++games_with_time;
    time.granted_ms += game.time->granted_ms;
    time.had_ms += game.time->had_ms;
    time.used_ms += game.time->used_ms;
    time.charged_ms += game.time->charged_ms;
    time.lost_ms += game.time->lost_ms;
  }
  games_with_rescue += game.rescues > 0 ? 1 : 0;
  rescues += game.rescues;
  ponder_searches += game.ponder_searches;
  ponder_hits += game.ponder_hits;
  ponder_gained_ms += game.ponder_gained_ms;
}

}  // namespace kakehashi::bridge::archive
