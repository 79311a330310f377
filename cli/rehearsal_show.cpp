#include "cli/rehearsal_show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "cli/screen.hpp"
#include "cli/terminal.hpp"

namespace kakehashi::cli {



// --- game by game

namespace {

shogi::Color mover_of(const bridge::GameView& game, std::size_t index) {
  // The moves lead up to the present position, so the sides alternate back from it.
  const bool is_last_mover_black = game.position.side_to_move() == shogi::Color::white;
  const bool is_same_as_last = (game.moves.size() - 1 - index) % 2 == 0;
  return is_last_mover_black == is_same_as_last ? shogi::Color::black : shogi::Color::white;
}

}  // namespace

std::vector<std::string> GameFollower::observe(std::size_t bot, bridge::View view) {
  views_.at(bot) = std::move(view);
  std::vector<std::string> lines;
  if (!has_common_game()) {
    return lines;
  }
  const auto& game = *views_[0].game;
  if (game.game_id != game_id_) {
    game_id_ = game.game_id;
    told_ = 0;
    is_over_ = false;
    scores_ = {};
    ++number_;
    lines.push_back("game " + std::to_string(number_) + " of " + std::to_string(games_) + ": " +
                    game.black_name + " (black) against " + game.white_name + " (white)");
  }
  remember_score(bot);
  if (!is_over_) {
    tell_moves(lines);
    tell_end(lines);
  }
  return lines;
}

bool GameFollower::has_common_game() const {
  return views_[0].game && views_[1].game && views_[0].game->game_id == views_[1].game->game_id;
}

std::size_t GameFollower::bot_of(shogi::Color color) const {
  return views_[0].game->our_color == color ? 0 : 1;
}

void GameFollower::remember_score(std::size_t bot) {
  const auto& game = *views_[bot].game;
  if (game.score && !game.end && game.position.side_to_move() == game.our_color) {
    scores_[bot] = game.score;
  }
}

void GameFollower::tell_moves(std::vector<std::string>& lines) {
  // Each move is told when the bot that played it has seen it confirmed: its engine's thoughts are
  // then complete.
  while (true) {
    const auto& longer = views_[0].game->moves.size() > views_[1].game->moves.size() ? views_[0]
                                                                                     : views_[1];
    if (told_ >= longer.game->moves.size()) {
      return;
    }
    const auto mover = bot_of(mover_of(*longer.game, told_));
    const auto& game = *views_[mover].game;
    if (told_ >= game.moves.size()) {
      return;
    }
    lines.push_back(watch::format_move_line(game, told_, std::exchange(scores_[mover], std::nullopt)));
    ++told_;
  }
}

void GameFollower::tell_end(std::vector<std::string>& lines) {
  const auto& first = *views_[0].game;
  const auto& second = *views_[1].game;
  if (!first.end || !second.end) {
    return;
  }
  is_over_ = true;
  FollowedGame finished;
  finished.result = watch::format_end(first);
  finished.moves = first.moves.size();
  finished.outcome = first.end->outcome;
  finished.record_paths = {first.record_path, second.record_path};
  lines.push_back("game " + std::to_string(number_) + ": " + finished.result + " after " +
                  std::to_string(finished.moves) + " moves");
  finished_.push_back(std::move(finished));
}

watch::WatchedGame GameFollower::watched() const {
  watch::WatchedGame watched;
  watched.number = number_ == 0 ? 1 : number_;
  watched.count = games_;
  if (!has_common_game()) {
    return watched;
  }
  const auto black = bot_of(shogi::Color::black);
  const auto white = 1 - black;
  // The bot to move has the clock that runs, and the newest position.
  const auto& first = *views_[0].game;
  const auto& second = *views_[1].game;
  watched.game = first.moves.size() >= second.moves.size() ? &first : &second;
  watched.black_engine = views_[black].engine_name;
  watched.white_engine = views_[white].engine_name;
  watched.black_score = views_[black].game->score;
  watched.white_score = views_[white].game->score;
  return watched;
}

namespace {

std::string plural(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

RehearsalShow::RehearsalShow(std::ostream& out, int games, bool redraws, watch::Look look)
    : out_(out), follower_(games), redraws_(redraws), look_(look) {}

void RehearsalShow::observe(std::size_t bot, bridge::View view) {
  const auto lines = follower_.observe(bot, std::move(view));
  if (redraws_) {
    return;
  }
  for (const auto& line : lines) {
    out_ << line << '\n';
  }
  if (!lines.empty()) {
    out_.flush();
  }
}

void RehearsalShow::draw(base::SteadyTime now) {
  if (!redraws_) {
    return;
  }
  const std::string below = footnote_.empty() ? "" : "\n" + footnote_ + "\n";
  const std::size_t rows = screen_rows();  // it may have been made larger meanwhile
  look_.rows = rows - std::min<std::size_t>(rows, below.empty() ? 0 : 2);
  out_ << as_picture << (std::exchange(is_first_picture_, false) ? "\x1b[2J" : "")
       << in_place(watch::render_live_view(follower_.watched(), now, look_) + below, rows) << as_text;
}

void RehearsalShow::say(const base::Message& line) {
  footnote_ = line;
  if (!redraws_) {
    out_ << line << std::endl;
  }
}

void RehearsalShow::tell_results(const std::string& first_name, const std::string& second_name) {
  int won = 0;
  int lost = 0;
  int drawn = 0;
  out_ << (redraws_ ? "\n" : "");  // the picture's last line is not ended
  for (const auto& game : follower_.finished()) {
    won += game.outcome == csa::Outcome::win ? 1 : 0;
    lost += game.outcome == csa::Outcome::lose ? 1 : 0;
    drawn += game.outcome == csa::Outcome::draw ? 1 : 0;
    out_ << "\nresult   " << game.result << " after " << plural(game.moves, "move") << '\n';
    for (const auto& path : game.record_paths) {
      if (!path.empty()) {
        out_ << "record   " << path << '\n';
      }
    }
  }
  if (follower_.finished().size() > 1) {
    out_ << "\nscore    " << first_name << " " << won << ", " << second_name << " " << lost
         << ", drawn " << drawn << '\n';
  }
  out_.flush();
}

// --- a series of games

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

std::string counts_text(const rehearse::PairCounts& counts) {
  std::vector<std::string> texts;
  for (const auto count : counts) {
    texts.push_back(std::to_string(count));
  }
  return base::join(texts, ", ");
}

std::string ratio_text(const rehearse::Series& series) {
  const rehearse::SprtRules& rules = *series.rules().sprt;
  return "LLR " + decimal(rehearse::log_likelihood_ratio(series.pairs(), rules), 2, true) + " (" +
         decimal(rules.lower(), 2, true) + " to " + decimal(rules.upper(), 2, true) + ")";
}

const char* unit_of(rehearse::EloModel model) { return model == rehearse::EloModel::normalized ? "normalized Elo" : "Elo"; }

std::string answer_text(const rehearse::Series& series) {
  const rehearse::SprtRules& rules = *series.rules().sprt;
  const std::string elo0 = plain_number(rules.elo0);
  const std::string elo1 = plain_number(rules.elo1);
  switch (series.answer()) {
    case rehearse::SprtAnswer::open: return "no answer yet";
    case rehearse::SprtAnswer::h0: return "H0 accepted: rather " + elo0 + " than " + elo1;
    case rehearse::SprtAnswer::h1: return "H1 accepted: rather " + elo1 + " than " + elo0;
  }
  return "";
}

std::string endings_text(const rehearse::Series& series, csa::Outcome outcome) {
  std::vector<std::string> texts;
  for (const auto& [ending, times] : series.endings()) {
    if (ending.first == outcome) {
      texts.push_back(ending.second + " " + std::to_string(times));
    }
  }
  return base::join(texts, ", ");
}

std::string games_text(int games) { return std::to_string(games) + (games == 1 ? " game" : " games"); }

std::string result_line(const rehearse::SeriesResult& result, const PlayerNames& names) {
  const std::string who = result.outcome == csa::Outcome::draw
                              ? "draw"
                              : names[result.outcome == csa::Outcome::win ? 0 : 1] + " won";
  return "game " + std::to_string(result.number) + ": " + who + " (" + result.reason + ") after " +
         std::to_string(result.plies) + (result.plies == 1 ? " move" : " moves");
}

}  // namespace

std::string progress_line(const rehearse::Series& series, std::optional<base::Millis> left) {
  std::string line = games_text(series.played()) + ": +" + std::to_string(series.count(csa::Outcome::win)) + " =" +
                     std::to_string(series.count(csa::Outcome::draw)) + " -" +
                     std::to_string(series.count(csa::Outcome::lose));
  if (const auto found = rehearse::estimate(series.pairs())) {
    line += ", pairs " + counts_text(series.pairs()) + ", Elo " + elo_text(found->elo) + " (" + elo_text(found->low) +
            " to " + elo_text(found->high) + "), LOS " + percent(found->superiority);
  }
  if (series.rules().sprt) {
    line += ", " + ratio_text(series);
  }
  return left ? line + ", about " + base::format_millis(left->count()) + " left" : line;
}

std::vector<std::string> strength_lines(const rehearse::Series& series, const PlayerNames& names) {
  std::vector<std::string> lines;
  if (const auto found = rehearse::estimate(series.pairs())) {
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

std::vector<std::string> summary_lines(const rehearse::Series& series, const PlayerNames& names) {
  const std::string wanted = std::to_string(series.rules().games);
  const std::string played = std::to_string(series.played()) +
                             (series.played() > series.rules().games
                                  ? ", and " + wanted + " were asked for: "
                                  : std::string(" of ") + (series.rules().sprt ? "at most " : "") + wanted + ": ");
  std::vector<std::string> lines{"games    " + played +
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

SeriesShow::SeriesShow(std::ostream& out, const rehearse::Series& series, PlayerNames names, bool redraws)
    : out_(out), series_(series), names_(std::move(names)), redraws_(redraws), played_before_(series.played()) {}

void SeriesShow::observe(std::size_t, bridge::View) {}

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
  out_ << as_picture << (std::exchange(is_first_picture_, false) ? "\x1b[2J" : "") << in_place(picture, screen_rows())
       << as_text;
}

void SeriesShow::say(const base::Message& line) {
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

void SeriesShow::ended(const rehearse::SeriesResult& result, base::SteadyTime now) {
  running_.erase(result.number);
  say(result_line(result, names_));
  if (!redraws_ && (!told_ || now - *told_ >= progress_interval)) {
    told_ = now;
    out_ << progress_line(series_, left(now)) << std::endl;
  }
}

}  // namespace kakehashi::cli
