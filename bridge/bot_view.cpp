// The present state as plain values.
#include <algorithm>

#include "bridge/bot_core.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

namespace {

std::optional<base::Millis> shown_main_time(const csa::Ledger& ledger, shogi::Color color) {
  if (ledger.control(color).is_untimed()) {
    return std::nullopt;
  }
  return ledger.main_time(color);
}

std::int64_t for_black(const usi::Score& score, shogi::Color thinker) {
  const std::int64_t sign = thinker == shogi::Color::black ? 1 : -1;
  return score.is_mate ? (score.mate_is_lost ? -1 : 1) * std::abs(score.value) * sign
                       : score.value * sign;
}

/// On one scale with centipawns, for a graph.
std::int64_t on_graph(const usi::Score& score, shogi::Color thinker) {
  constexpr std::int64_t mate = 30'000;
  const std::int64_t value = for_black(score, thinker);
  return score.is_mate ? (value < 0 ? -mate : mate) : std::clamp(value, -mate, mate);
}

/// The principal variation as it goes on from the present position: what was played of it is gone,
/// and when something else was played, so is the rest.
std::vector<std::string> line_from_here(const Playing& playing) {
  const std::vector<std::string>& pv = playing.thought.pv;
  const int passed = playing.game.ply() - playing.thought_ply;
  if (passed < 0) {
    if (!playing.pondering) {
      return {};
    }
    std::vector<std::string> line{shogi::usi::format_move(playing.pondering->predicted)};
    line.insert(line.end(), pv.begin(), pv.end());
    return line;
  }
  const auto count = static_cast<std::size_t>(passed);
  for (std::size_t i = 0; i < count; ++i) {
    const auto ply = static_cast<std::size_t>(playing.thought_ply) + i;
    if (i >= pv.size() || shogi::usi::format_move(playing.game.moves()[ply].move) != pv[i]) {
      return {};
    }
  }
  return {pv.begin() + passed, pv.end()};
}

}  // namespace

GameView Bot::Core::view_of(const Playing& playing) const {
  const Game& game = playing.game;
  GameView view;
  view.game_id = mask_.hide(game.summary().game_id);
  view.black_name = game.summary().black_name;
  view.white_name = game.summary().white_name;
  view.our_color = game.summary().our_color;
  view.position = game.position();
  view.moves.reserve(game.moves().size());
  for (const Game::Played& played : game.moves()) {
    view.moves.push_back({played.text, played.consumed});
  }
  for (std::size_t i = 0; i < playing.scores.size(); ++i) {
    if (playing.scores[i]) {
      view.moves[i].score = on_graph(*playing.scores[i], view.our_color);
    }
  }
  view.black_main_time = shown_main_time(game.ledger(), shogi::Color::black);
  view.white_main_time = shown_main_time(game.ledger(), shogi::Color::white);
  view.turn_started = playing.turn_started;
  view.record_path = record_path_;
  view.time = playing.time;
  view.occurrences = game.occurrences();
  view.max_moves = game.summary().max_moves;
  view.ponder = {playing.tally.searches, playing.tally.hits, playing.tally.gained};
  if (playing.thought.score) {
    const usi::Score& score = *playing.thought.score;
    view.score = ViewedScore{
        score.is_mate, for_black(score, playing.thinker), playing.thought.depth, {},
                             playing.thought.nps, playing.thought.hashfull};
    for (const std::string& move : line_from_here(playing)) {
      view.score->pv += (view.score->pv.empty() ? "" : " ") + move;
    }
  }
  return view;
}

FinishedGame Bot::Core::finished(const Playing& playing, const csa::GameEnd& end) const {
  FinishedGame game;
  game.bot = config_.name;
  game.server = config_.server.host + ":" + std::to_string(config_.server.port);
  game.game_name = config_.game.name;
  game.engine = team_.player().engine_name();
  game.our_color = playing.game.summary().our_color;
  game.end = end;
  game.record = playing.record.record();
  game.ponder = {playing.tally.searches, playing.tally.hits, playing.tally.gained};
  game.time = playing.time;
  game.rescues = playing.rescues;
  return game;
}

View Bot::Core::view() const {
  View view;
  view.phase = name_of(phase_);
  view.engine_name = team_.player().engine_name();
  view.standby_plays = team_.standby_plays();
  view.games_finished = games_finished_;
  if (const auto trip = link_margin_.round_trip()) {
    view.link = ViewedLink{trip->first, trip->second};
  }
  view.margin = think_time_rules().margin;
  view.ponder = {ponder_totals_.sum.searches, ponder_totals_.sum.hits, ponder_totals_.sum.gained};
  if (std::holds_alternative<Resting>(phase_)) {
    if (const auto opening = schedule_.next_change(now_.wall)) {
      view.window = ViewedWindow{schedule_.describe(*opening), *opening};
    }
  }
  if (const auto* playing = std::get_if<Playing>(&phase_)) {
    view.game = view_of(*playing);
  } else if (lost_game_) {
    view.game = view_of(lost_game_->playing);
  } else {
    view.game = last_game_;
    if (view.game) {
      view.game->record_path = record_path_;
    }
  }
  return view;
}

}  // namespace kakehashi::bridge
