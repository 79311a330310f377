#include "games/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "base/utf8.hpp"

namespace kakehashi::games {
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

// --- for people and as JSON

namespace {

using base::padded;
using boost::json::array;
using boost::json::object;

using Rows = std::vector<std::pair<std::string, Score>>;
constexpr std::size_t rows_shown_max = 20;

std::string signed_whole(double value) { return fmt::format("{:+.0f}", value); }

/// Where all games were lost, or all won, only the bound on the other side says anything.
std::string elo_text(const Elo& elo) {
  const std::string low = elo.low ? signed_whole(*elo.low) : "-∞";
  const std::string high = elo.high ? signed_whole(*elo.high) : "+∞";
  const std::string estimate = elo.estimate ? signed_whole(*elo.estimate) : elo.low ? high : low;
  return estimate + " (" + low + " to " + high + ")";
}

/// "1 game", "2 games".
std::string count_of(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string score_text(const Score& score) {
  std::string text =
      fmt::format("{:6} {:6} {:6} {:6} ", score.decided(), score.wins, score.losses, score.draws);
  if (score.decided() == 0) {
    return text;
  }
  const Interval interval = wilson(score);
  return text + fmt::format("{:5.1f} % ({:.1f} to {:.1f})", 100 * score.rate(), 100 * interval.low,
                       100 * interval.high) +
         "  " + elo_text(elo(score));
}

/// The most played first where `by_count`, else by name.
Rows rows_of(const std::map<std::string, Score>& scores, bool by_count) {
  Rows rows(scores.begin(), scores.end());
  if (by_count) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return a.second.decided() > b.second.decided();
    });
  }
  return rows;
}

std::string table(const char* title, const std::map<std::string, Score>& scores, bool by_count) {
  Rows rows = rows_of(scores, by_count);
  std::string left_out;
  if (rows.size() > rows_shown_max) {
    const auto extra = static_cast<std::ptrdiff_t>(rows.size() - rows_shown_max);
    left_out = "  … and " + std::to_string(extra) + " more\n";
    // Of weeks the last ones are wanted.
    by_count ? rows.erase(rows.end() - extra, rows.end())
             : rows.erase(rows.begin(), rows.begin() + extra);
  }
  std::string text = "\n" + padded(title, 24) + "  games    won   lost  drawn  score (95 %)           Elo (95 %)\n";
  for (const auto& [name, score] : rows) {
    text += padded("  " + name, 24) + " " + score_text(score) + "\n";
  }
  return text + left_out;
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole))
                   : "-";
}

object score_json(const Score& score) {
  const Interval interval = wilson(score);
  const Elo strength = elo(score);
  object json{{"games", score.decided()},   {"won", score.wins},
              {"lost", score.losses},       {"drawn", score.draws},
              {"without_result", score.without_result}};
  if (score.decided() > 0) {
    json["score"] = score.rate();
    json["score_low"] = interval.low;
    json["score_high"] = interval.high;
  }
  for (const auto& [key, value] : {std::pair("elo", strength.estimate), std::pair("elo_low", strength.low),
                                   std::pair("elo_high", strength.high)}) {
    if (value) {
      json[key] = *value;
    }
  }
  return json;
}

array scores_json(const std::map<std::string, Score>& scores, bool by_count) {
  array all;
  for (const auto& [name, score] : rows_of(scores, by_count)) {
    object one = score_json(score);
    one["name"] = name;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string show(const Statistics& statistics) {
  const Statistics& s = statistics;
  std::string text = padded("", 24) + "  games    won   lost  drawn  score (95 %)           Elo (95 %)\n" +
                     padded("all games", 24) + " " + score_text(s.all) + "\n";
  if (s.all.without_result > 0) {
    text += "without a result: " + std::to_string(s.all.without_result) + "\n";
  }
  if (s.games() == 0) {
    return text;
  }
  text += table("by color", s.by_color, false);
  text += table("by clock", s.by_clock, true);
  text += table("by opponent", s.by_opponent, true);
  text += table("by week", s.by_week, false);
  if (!s.reasons_of_losses.empty()) {
    text += "\nreasons of losses\n";
    for (const auto& [reason, count] : s.reasons_of_losses) {
      text += "  " + padded(reason, 22) + " " + std::to_string(count) + " (" + percent(count, s.all.losses) + ")\n";
    }
  }
  text += "\nmoves: " + std::to_string(s.plies) + ", " + std::to_string(s.plies / s.games()) + " a game\n";
  text += "time: ours " + base::format_millis(s.our_time_ms) + ", theirs " +
          base::format_millis(s.their_time_ms) + "\n";
  if (s.games_with_time > 0) {
    text += "of the time granted the engine had " + percent(s.time.had_ms, s.time.granted_ms) +
            "; used " + base::format_millis(s.time.used_ms) + ", charged " +
            base::format_millis(s.time.charged_ms) + ", lost on the link " +
            base::format_millis(s.time.lost_ms) + " (" + count_of(s.games_with_time, "game", "games") + ")\n";
  }
  if (s.ponder_searches > 0) {
    // A server that counts whole seconds charges nothing for the moves of fast games.
    const std::int64_t ours = std::max(s.our_time_ms, s.time.used_ms);
    text += "pondering: " + count_of(s.ponder_searches, "search", "searches") + ", " +
            percent(s.ponder_hits, s.ponder_searches) + " hits, gained " +
            base::format_millis(s.ponder_gained_ms) + " (" +
            percent(s.ponder_gained_ms, ours + s.ponder_gained_ms) + " of all thinking)\n";
  }
  text += "rescue moves: " + std::to_string(s.rescues) + " in " + count_of(s.games_with_rescue, "game", "games") + "\n";
  return text;
}

std::string json(const Statistics& statistics) {
  const Statistics& s = statistics;
  array reasons;
  for (const auto& [reason, count] : s.reasons_of_losses) {
    reasons.push_back(object{{"name", reason}, {"games", count}});
  }
  return boost::json::serialize(object{
      {"all", score_json(s.all)},
      {"by_color", scores_json(s.by_color, false)},
      {"by_clock", scores_json(s.by_clock, true)},
      {"by_opponent", scores_json(s.by_opponent, true)},
      {"by_week", scores_json(s.by_week, false)},
      {"reasons_of_losses", std::move(reasons)},
      {"plies", s.plies},
      {"our_time_ms", s.our_time_ms},
      {"their_time_ms", s.their_time_ms},
      {"time", object{{"games", s.games_with_time},
                      {"granted_ms", s.time.granted_ms},
                      {"had_ms", s.time.had_ms},
                      {"used_ms", s.time.used_ms},
                      {"charged_ms", s.time.charged_ms},
                      {"lost_ms", s.time.lost_ms}}},
      {"rescues", s.rescues},
      {"games_with_rescue", s.games_with_rescue},
      {"ponder", object{{"searches", s.ponder_searches},
                        {"hits", s.ponder_hits},
                        {"gained_ms", s.ponder_gained_ms}}},
  });
}

}  // namespace kakehashi::games
