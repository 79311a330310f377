#include "games/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"

namespace kakehashi::games {
namespace {

constexpr std::string_view others = "(others)";      ///< in place of an opponent
constexpr std::string_view not_told = "(not told)";  ///< in place of a reason

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
  by_opponent[is_known ? game.opponent : std::string(others)].take(game.outcome);
  by_color[game.is_black ? "black" : "white"].take(game.outcome);
  by_clock[game.clock].take(game.outcome);
  by_week[iso_week(game.started_ms)].take(game.outcome);
  if (game.outcome == "lose") {
    ++reasons_of_losses[game.reason.empty() ? std::string(not_told) : game.reason];
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

using base::duration;
using base::Message;
using base::say;
using base::say_as;
using base::verbatim;
using boost::json::array;
using boost::json::object;

using Rows = std::vector<std::pair<std::string, Score>>;
constexpr std::size_t rows_shown_max = 20;

std::string signed_whole(double value) { return fmt::format("{:+.0f}", value); }

/// Where all games were lost, or all won, only the bound on the other side says anything.
Message elo_text(const Elo& elo) {
  const std::string low = elo.low ? signed_whole(*elo.low) : "-∞";
  const std::string high = elo.high ? signed_whole(*elo.high) : "+∞";
  return say("{} ({} to {})", elo.estimate ? signed_whole(*elo.estimate) : elo.low ? high : low, low, high);
}

Message games_text(std::int64_t count) { return count == 1 ? say("{} game", 1) : say("{} games", count); }

std::string table_row(const std::array<Message, 7>& texts, words::Language language) {
  using words::Cell;
  using words::Side;
  return words::row(language, std::array{Cell{texts[0], 24}, Cell{texts[1], 5, Side::right}, Cell{texts[2], 5, Side::right},
                                         Cell{texts[3], 5, Side::right}, Cell{texts[4], 5, Side::right},
                                         Cell{texts[5], 21}, Cell{texts[6]}}) + "\n";
}

std::string table_head(const Message& title, words::Language language) {
  return table_row({title, say_as("column", "games"), say_as("column", "won"), say_as("column", "lost"),
                    say_as("column", "drawn"), say_as("column", "score (95 %)"), say_as("column", "Elo (95 %)")}, language);
}

std::string score_row(const Message& name, const Score& score, words::Language language) {
  const auto number = [](std::int64_t value) { return verbatim(std::to_string(value)); };
  const Interval interval = wilson(score);
  const bool is_known = score.decided() > 0;
  return table_row({name, number(score.decided()), number(score.wins), number(score.losses), number(score.draws),
                    is_known ? say("{} % ({} to {})", fmt::format("{:4.1f}", 100 * score.rate()),
                                   fmt::format("{:.1f}", 100 * interval.low), fmt::format("{:.1f}", 100 * interval.high))
                             : Message(),
                    is_known ? elo_text(elo(score)) : Message()}, language);
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

Message as_named(const std::string& name) { return verbatim(name); }
Message opponent_name(const std::string& name) { return name == others ? say("(others)") : verbatim(name); }
Message color_name(const std::string& name) { return name == "black" ? say("black") : say("white"); }

std::string table(const Message& title, const std::map<std::string, Score>& scores, bool by_count,
                  Message (*name_of)(const std::string& name), words::Language language) {
  Rows rows = rows_of(scores, by_count);
  std::string left_out;
  if (rows.size() > rows_shown_max) {
    const auto extra = static_cast<std::ptrdiff_t>(rows.size() - rows_shown_max);
    left_out = "  " + words::in(language, say("… and {} more", extra)) + "\n";
    // Of weeks the last ones are wanted.
    by_count ? rows.erase(rows.end() - extra, rows.end())
             : rows.erase(rows.begin(), rows.begin() + extra);
  }
  std::string text = "\n" + table_head(title, language);
  for (const auto& [name, score] : rows) {
    text += score_row(say("  {}", name_of(name)), score, language);
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

std::string show(const Statistics& statistics, words::Language language) {
  const Statistics& s = statistics;
  std::string text = table_head({}, language) + score_row(say_as("column", "all games"), s.all, language);
  const auto line = [&](const Message& message) { text += words::in(language, message) + "\n"; };
  if (s.all.without_result > 0) {
    line(say("without a result: {}", s.all.without_result));
  }
  if (s.games() == 0) {
    return text;
  }
  text += table(say_as("column", "by color"), s.by_color, false, color_name, language);
  text += table(say_as("column", "by clock"), s.by_clock, true, as_named, language);
  text += table(say_as("column", "by opponent"), s.by_opponent, true, opponent_name, language);
  text += table(say_as("column", "by week"), s.by_week, false, as_named, language);
  if (!s.reasons_of_losses.empty()) {
    text += "\n";
    line(say_as("column", "reasons of losses"));
    for (const auto& [reason, count] : s.reasons_of_losses) {
      const Message name = reason == not_told ? say("(not told)") : verbatim(reason);
      text += "  " + base::padded(words::in(language, name), 22) + " " + std::to_string(count) + " (" +
              percent(count, s.all.losses) + ")\n";
    }
  }
  text += "\n";
  line(say("moves: {}, {} a game", s.plies, s.plies / s.games()));
  line(say("time: ours {}, theirs {}", duration(s.our_time_ms), duration(s.their_time_ms)));
  if (s.games_with_time > 0) {
    line(say("of the time granted the engine had {}; used {}, charged {}, lost on the link {} ({})",
             percent(s.time.had_ms, s.time.granted_ms), duration(s.time.used_ms), duration(s.time.charged_ms),
             duration(s.time.lost_ms), games_text(s.games_with_time)));
  }
  if (s.ponder_searches > 0) {
    // A server that counts whole seconds charges nothing for the moves of fast games.
    const std::int64_t ours = std::max(s.our_time_ms, s.time.used_ms);
    const std::string hits = percent(s.ponder_hits, s.ponder_searches);
    const std::string share = percent(s.ponder_gained_ms, ours + s.ponder_gained_ms);
    const Message gained = duration(s.ponder_gained_ms);
    line(s.ponder_searches == 1
             ? say("pondering: {} search, {} hits, gained {} ({} of all thinking)", 1, hits, gained, share)
             : say("pondering: {} searches, {} hits, gained {} ({} of all thinking)", s.ponder_searches, hits, gained, share));
  }
  line(say("rescue moves: {} in {}", s.rescues, games_text(s.games_with_rescue)));
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
