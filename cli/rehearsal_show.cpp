#include "cli/rehearsal_show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "cli/terminal.hpp"

namespace kakehashi::cli {

using base::say;
using base::say_as;

// --- game by game

namespace {

void draw_in_place(const Lines& output, const std::string& picture, bool& is_first) {
  output.stream() << as_picture << (std::exchange(is_first, false) ? "\x1b[2J" : "") << in_place(picture, screen_rows()) << as_text;
}

base::Message moves_text(std::size_t moves) { return moves == 1 ? say("{} move", 1) : say("{} moves", moves); }

shogi::Color mover_of(const bridge::GameView& game, std::size_t index) {
  // The moves lead up to the present position, so the sides alternate back from it.
  const bool is_last_mover_black = game.position.side_to_move() == shogi::Color::white;
  const bool is_same_as_last = (game.moves.size() - 1 - index) % 2 == 0;
  return is_last_mover_black == is_same_as_last ? shogi::Color::black : shogi::Color::white;
}

}  // namespace

std::vector<base::Message> GameFollower::observe(std::size_t bot, bridge::View view) {
  views_.at(bot) = std::move(view);
  std::vector<base::Message> lines;
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
    lines.push_back(say("game {} of {}: {} (black) against {} (white)", number_, games_, game.black_name, game.white_name));
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

void GameFollower::tell_moves(std::vector<base::Message>& lines) {
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

void GameFollower::tell_end(std::vector<base::Message>& lines) {
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
  lines.push_back(say("game {}: {} after {}", number_, finished.result, moves_text(finished.moves)));
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

RehearsalShow::RehearsalShow(const Lines& output, int games, bool redraws, watch::Look look)
    : output_(output), follower_(games), redraws_(redraws), look_(look) {}

void RehearsalShow::observe(std::size_t bot, bridge::View view) {
  const auto lines = follower_.observe(bot, std::move(view));
  if (redraws_) {
    return;
  }
  for (const base::Message& line : lines) {
    output_.line(line);
  }
}

void RehearsalShow::draw(base::SteadyTime now) {
  if (!redraws_) {
    return;
  }
  const std::string below = footnote_.empty() ? "" : "\n" + output_.said(footnote_) + "\n";
  const std::size_t rows = screen_rows();  // it may have been made larger meanwhile
  look_.rows = rows - std::min<std::size_t>(rows, below.empty() ? 0 : 2);
  draw_in_place(output_, watch::render_live_view(follower_.watched(), now, look_) + below, is_first_picture_);
}

void RehearsalShow::tell(const base::Message& line) {
  footnote_ = line;
  if (!redraws_) {
    output_.line(line);
  }
}

void RehearsalShow::tell_results(const std::string& first_name, const std::string& second_name) {
  int won = 0;
  int lost = 0;
  int drawn = 0;
  if (redraws_) {
    output_.blank();  // the picture's last line is not ended
  }
  for (const auto& game : follower_.finished()) {
    won += game.outcome == csa::Outcome::win ? 1 : 0;
    lost += game.outcome == csa::Outcome::lose ? 1 : 0;
    drawn += game.outcome == csa::Outcome::draw ? 1 : 0;
    output_.blank();
    output_.labelled(say_as("column", "result"),
                     say("{} after {}", game.result, moves_text(game.moves)),
                     label_columns);
    for (const auto& path : game.record_paths) {
      if (!path.empty()) {
        output_.labelled(say_as("column", "record"), base::verbatim(path), label_columns);
      }
    }
  }
  if (follower_.finished().size() > 1) {
    output_.blank();
    output_.labelled(say_as("column", "score"), say("{} {}, {} {}, drawn {}", first_name, won, second_name, lost, drawn),
                     label_columns);
  }
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

base::Message ratio_text(const rehearse::Series& series) {
  const rehearse::SprtRules& rules = *series.rules().sprt;
  return say("LLR {} ({} to {})", decimal(rehearse::log_likelihood_ratio(series.pairs(), rules), 2, true),
             decimal(rules.lower(), 2, true), decimal(rules.upper(), 2, true));
}

base::Message answer_text(const rehearse::Series& series) {
  const rehearse::SprtRules& rules = *series.rules().sprt;
  const std::string elo0 = plain_number(rules.elo0);
  const std::string elo1 = plain_number(rules.elo1);
  switch (series.answer()) {
    case rehearse::SprtAnswer::open: return say("no answer yet");
    case rehearse::SprtAnswer::h0: return say("H0 accepted: rather {} than {}", elo0, elo1);
    case rehearse::SprtAnswer::h1: return say("H1 accepted: rather {} than {}", elo1, elo0);
  }
  return {};
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

base::Message result_line(const rehearse::SeriesResult& result, const PlayerNames& names) {
  const auto& [number, outcome, reason, plies, moves] = result;
  const base::Message length = moves_text(static_cast<std::size_t>(plies));
  return outcome == csa::Outcome::draw
             ? say("game {}: draw ({}) after {}", number, reason, length)
             : say("game {}: {} won ({}) after {}", number, names[outcome == csa::Outcome::win ? 0 : 1], reason, length);
}

}  // namespace

base::Message games_text(int games) { return games == 1 ? say("{} game", 1) : say("{} games", games); }

base::Message progress_line(const rehearse::Series& series, std::optional<base::Millis> left) {
  base::Message line = say("{}: +{} ={} -{}", games_text(series.played()), series.count(csa::Outcome::win),
                           series.count(csa::Outcome::draw), series.count(csa::Outcome::lose));
  if (const auto found = rehearse::estimate(series.pairs())) {
    line = say("{}, pairs {}, Elo {} ({} to {}), LOS {}", line, counts_text(series.pairs()), elo_text(found->elo),
               elo_text(found->low), elo_text(found->high), percent(found->superiority));
  }
  if (series.rules().sprt) {
    line = say("{}, {}", line, ratio_text(series));
  }
  return left ? say("{}, about {} left", line, base::duration(left->count())) : line;
}

std::vector<RehearsalReport::Line> strength_lines(const rehearse::Series& series, const PlayerNames& names) {
  std::vector<RehearsalReport::Line> lines;
  if (const auto found = rehearse::estimate(series.pairs())) {
    lines.push_back({say_as("column", "pairs"), say("0 to 2 points for {}: {}", names[0], counts_text(series.pairs()))});
    lines.push_back({base::verbatim("Elo"),
                     say("{} (95 %: {} to {}); {} is the stronger one with {} (LOS)", elo_text(found->elo),
                         elo_text(found->low), elo_text(found->high), names[0], percent(found->superiority))});
  }
  if (const auto& rules = series.rules().sprt) {
    const auto elo0 = plain_number(rules->elo0);
    const auto elo1 = plain_number(rules->elo1);
    lines.push_back({base::verbatim("SPRT"),
                     rules->model == rehearse::EloModel::normalized
                         ? say("{}, {} against {} normalized Elo: {}", ratio_text(series), elo0, elo1, answer_text(series))
                         : say("{}, {} against {} Elo: {}", ratio_text(series), elo0, elo1, answer_text(series))});
  }
  if (const int times = series.repeated(); times > 0) {
    lines.push_back({say_as("column", "warning"),
                     say("{} had the moves of an earlier one and tell nothing new, although they are counted: give more start "
                         "positions (--openings)", games_text(times))});
  }
  return lines;
}

std::vector<RehearsalReport::Line> summary_lines(const rehearse::Series& series, const PlayerNames& names) {
  const int wanted = series.rules().games;
  const base::Message score = say("{} {}, {} {}, drawn {}", names[0], series.count(csa::Outcome::win), names[1],
                                  series.count(csa::Outcome::lose), series.count(csa::Outcome::draw));
  std::vector<RehearsalReport::Line> lines{
      {say_as("column", "games"),
       series.played() > wanted ? say("{}, and {} were asked for: {}", series.played(), wanted, score)
       : series.rules().sprt    ? say("{} of at most {}: {}", series.played(), wanted, score)
                                : say("{} of {}: {}", series.played(), wanted, score)}};
  for (auto& line : strength_lines(series, names)) {
    lines.push_back(std::move(line));
  }
  const auto tell = [&](csa::Outcome outcome, auto&& said) {
    if (const std::string reasons = endings_text(series, outcome); !reasons.empty()) {
      lines.push_back({say_as("column", "ended"), said(reasons)});
    }
  };
  tell(csa::Outcome::win, [&](const std::string& reasons) { return say("{} won: {}", names[0], reasons); });
  tell(csa::Outcome::lose, [&](const std::string& reasons) { return say("{} won: {}", names[1], reasons); });
  tell(csa::Outcome::draw, [&](const std::string& reasons) { return say("drawn: {}", reasons); });
  return lines;
}

SeriesShow::SeriesShow(const Lines& output, const rehearse::Series& series, PlayerNames names, bool redraws)
    : output_(output), series_(series), names_(std::move(names)), redraws_(redraws), played_before_(series.played()) {}

void SeriesShow::observe(std::size_t, bridge::View) {}

/// By the pace since this run began. How long a test takes chance decides.
std::optional<base::Millis> SeriesShow::left(base::SteadyTime now) const {
  const int played = series_.played() - played_before_;
  const int games = series_.rules().games - series_.played();
  if (series_.rules().sprt || games <= 0 || played == 0 || !began_) {
    return std::nullopt;
  }
  constexpr double second = 1'000;
  const double pace = static_cast<double>(base::millis_between(*began_, now).count()) / played;
  return base::Millis{static_cast<std::int64_t>(std::round(games * pace / second) * second)};
}

void SeriesShow::draw(base::SteadyTime now) {
  began_ = began_.value_or(now);
  if (!redraws_) {
    return;
  }
  std::string picture = output_.said(say("{} against {}", names_[0], names_[1])) + "\n\n";
  const auto labelled = [&](const base::Message& label, const base::Message& text) {
    picture += words::labelled(output_.language(), label, text, label_columns) + "\n";
  };
  for (const auto& [about, text] : summary_lines(series_, names_)) {
    labelled(about, text);
  }
  if (const auto time = left(now)) {
    labelled(say_as("column", "left"), say("about {}", base::duration(time->count())));
  }
  picture += "\n";
  for (const auto& [game, plies] : running_) {
    picture += output_.said(say("game {}, move {}", game, plies)) + "\n";
  }
  picture += "\n";
  for (const base::Message& line : latest_) {
    picture += output_.said(line) + "\n";
  }
  draw_in_place(output_, picture, is_first_picture_);
}

void SeriesShow::tell(const base::Message& line) {
  latest_.push_front(line);
  if (latest_.size() > latest_max) {
    latest_.pop_back();
  }
  if (!redraws_) {
    output_.line(line);
  }
}

void SeriesShow::moved(int game, int plies) { running_[game] = plies; }

void SeriesShow::broken_off(int game) { running_.erase(game); }

void SeriesShow::ended(const rehearse::SeriesResult& result, base::SteadyTime now) {
  running_.erase(result.number);
  tell(result_line(result, names_));
  if (!redraws_ && (!told_ || now - *told_ >= progress_interval)) {
    told_ = now;
    output_.line(progress_line(series_, left(now)));
  }
}

}  // namespace kakehashi::cli
