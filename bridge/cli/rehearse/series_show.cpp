#include "bridge/cli/rehearse/series_show.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "bridge/cli/screen.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr std::size_t latest_max = 8;

std::string decimal(double number, int digits, bool has_sign) {
  const double unit = std::pow(10.0, digits);
  const double rounded = std::round(number * unit) / unit + 0.0;  // no "-0.0"
  return has_sign && rounded != 0 ? fmt::format("{:+.{}f}", rounded, digits) : fmt::format("{:.{}f}", rounded, digits);
}

std::string elo_text(double elo) {
  return std::isinf(elo) ? (elo > 0 ? "+∞" : "-∞") : decimal(elo, 1, true);
}

std::string percent(double share) { return decimal(share * 100, 1, false) + " %"; }

/// As it was asked for: "5", "2.5".
std::string plain_number(double number) { return fmt::format("{:g}", number); }

std::string counts_text(const PairCounts& counts) {
  std::vector<std::string> texts;
  for (const auto count : counts) {
    texts.push_back(std::to_string(count));
  }
  return base::join(texts, ", ");
}

std::string ratio_text(const Series& series) {
  const SprtRules& rules = *series.rules().sprt;
  return "LLR " + decimal(log_likelihood_ratio(series.pairs(), rules), 2, true) + " (" +
         decimal(rules.lower(), 2, true) + " to " + decimal(rules.upper(), 2, true) + ")";
}

const char* unit_of(EloModel model) { return model == EloModel::normalized ? "normalized Elo" : "Elo"; }

std::string answer_text(const Series& series) {
  const SprtRules& rules = *series.rules().sprt;
  const std::string elo0 = plain_number(rules.elo0);
  const std::string elo1 = plain_number(rules.elo1);
  switch (series.answer()) {
    case SprtAnswer::open: return "no answer yet";
    case SprtAnswer::h0: return "H0 accepted: rather " + elo0 + " than " + elo1;
    case SprtAnswer::h1: return "H1 accepted: rather " + elo1 + " than " + elo0;
  }
  return "";
}

std::string endings_text(const Series& series, csa::Outcome outcome) {
  std::vector<std::string> texts;
  for (const auto& [ending, times] : series.endings()) {
    if (ending.first == outcome) {
      texts.push_back(ending.second + " " + std::to_string(times));
    }
  }
  return base::join(texts, ", ");
}

std::string games_text(int games) { return std::to_string(games) + (games == 1 ? " game" : " games"); }

std::string result_line(const SeriesResult& result, const PlayerNames& names) {
  const std::string who = result.outcome == csa::Outcome::draw
                              ? "draw"
                              : names[result.outcome == csa::Outcome::win ? 0 : 1] + " won";
  return "game " + std::to_string(result.number) + ": " + who + " (" + result.reason + ") after " +
         std::to_string(result.plies) + (result.plies == 1 ? " move" : " moves");
}

}  // namespace

std::string progress_line(const Series& series, std::optional<base::Millis> left) {
  std::string line = games_text(series.played()) + ": +" + std::to_string(series.count(csa::Outcome::win)) + " =" +
                     std::to_string(series.count(csa::Outcome::draw)) + " -" +
                     std::to_string(series.count(csa::Outcome::lose));
  if (const auto found = estimate(series.pairs())) {
    line += ", pairs " + counts_text(series.pairs()) + ", Elo " + elo_text(found->elo) + " (" + elo_text(found->low) +
            " to " + elo_text(found->high) + "), LOS " + percent(found->superiority);
  }
  if (series.rules().sprt) {
    line += ", " + ratio_text(series);
  }
  return left ? line + ", about " + base::format_millis(left->count()) + " left" : line;
}

std::vector<std::string> strength_lines(const Series& series, const PlayerNames& names) {
  std::vector<std::string> lines;
  if (const auto found = estimate(series.pairs())) {
    lines.push_back("pairs    0 to 2 points for " + names[0] + ": " + counts_text(series.pairs()));
    lines.push_back("Elo      " + elo_text(found->elo) + " (95 %: " + elo_text(found->low) + " to " +
                    elo_text(found->high) + "); " + names[0] + " is the stronger one with " +
                    percent(found->superiority) + " (LOS)");
  }
  if (const auto& rules = series.rules().sprt) {
    lines.push_back("SPRT     " + ratio_text(series) + ", " + plain_number(rules->elo0) + " against " +
                    plain_number(rules->elo1) + " " + unit_of(rules->model) + ": " + answer_text(series));
  }
  if (const int times = series.repeated(); times > 0) {
    lines.push_back("warning  " + games_text(times) + " had the moves of an earlier one and tell nothing new, although "
                    "they are counted: give more start positions (--openings)");
  }
  return lines;
}

std::vector<std::string> summary_lines(const Series& series, const PlayerNames& names) {
  std::vector<std::string> lines{"games    " + std::to_string(series.played()) + " of " +
                                 (series.rules().sprt ? "at most " : "") + std::to_string(series.rules().games) + ": " +
                                 names[0] + " " + std::to_string(series.count(csa::Outcome::win)) + ", " + names[1] +
                                 " " + std::to_string(series.count(csa::Outcome::lose)) + ", drawn " +
                                 std::to_string(series.count(csa::Outcome::draw))};
  for (auto& line : strength_lines(series, names)) {
    lines.push_back(std::move(line));
  }
  const std::array<std::pair<csa::Outcome, std::string>, 3> endings{
      std::pair{csa::Outcome::win, names[0] + " won: "}, std::pair{csa::Outcome::lose, names[1] + " won: "},
      std::pair{csa::Outcome::draw, std::string("drawn: ")}};
  for (const auto& [outcome, head] : endings) {
    if (const std::string reasons = endings_text(series, outcome); !reasons.empty()) {
      lines.push_back("ended    " + head + reasons);
    }
  }
  return lines;
}

SeriesShow::SeriesShow(std::ostream& out, const Series& series, PlayerNames names, bool redraws)
    : out_(out), series_(series), names_(std::move(names)), redraws_(redraws), played_before_(series.played()) {}

void SeriesShow::observe(std::size_t, View) {}

/// By the pace since this run began.
std::optional<base::Millis> SeriesShow::left(base::SteadyTime now) const {
  const int played = series_.played() - played_before_;
  const auto games = series_.games_left();
  if (!games || *games == 0 || played == 0 || !began_) {
    return std::nullopt;
  }
  constexpr double second = 1'000;
  const double pace = static_cast<double>(base::millis_between(*began_, now).count()) / played;
  return base::Millis{static_cast<std::int64_t>(std::round(*games * pace / second) * second)};
}

void SeriesShow::draw(base::SteadyTime now) {
  began_ = began_.value_or(now);
  if (!redraws_) {
    return;
  }
  std::string picture = names_[0] + " against " + names_[1] + "\n\n";
  for (const auto& line : summary_lines(series_, names_)) {
    picture += line + "\n";
  }
  if (const auto time = left(now)) {
    picture += "left     about " + base::format_millis(time->count()) + "\n";
  }
  picture += "\n";
  for (const auto& [game, plies] : running_) {
    picture += "game " + std::to_string(game) + ", move " + std::to_string(plies) + "\n";
  }
  picture += "\n";
  for (const auto& line : latest_) {
    picture += line + "\n";
  }
  out_ << (std::exchange(is_first_picture_, false) ? "\x1b[2J" : "") << in_place(picture, screen_rows());
  out_.flush();
}

void SeriesShow::say(const std::string& line) {
  latest_.push_front(line);
  if (latest_.size() > latest_max) {
    latest_.pop_back();
  }
  if (!redraws_) {
    out_ << line << std::endl;
  }
}

void SeriesShow::moved(int game, int plies) { running_[game] = plies; }

void SeriesShow::broken_off(int game) { running_.erase(game); }

void SeriesShow::ended(const SeriesResult& result, base::SteadyTime now) {
  running_.erase(result.number);
  say(result_line(result, names_));
  if (!redraws_ && (!told_ || now - *told_ >= progress_interval)) {
    told_ = now;
    out_ << progress_line(series_, left(now)) << std::endl;
  }
}

}  // namespace kakehashi::bridge::cli
