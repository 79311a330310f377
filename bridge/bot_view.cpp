// The present state as plain values.
#include <algorithm>

#include "bridge/bot_core.hpp"

namespace kakehashi::bridge {

namespace {

std::optional<base::Millis> shown_main_time(const csa::Ledger& ledger, shogi::Color color) {
  if (ledger.control(color).is_untimed()) {
    return std::nullopt;
  }
  return ledger.main_time(color);
}

}  // namespace

GameView Bot::Core::view_of(const Playing& playing) const {
  const Game& game = playing.game;
  GameView view;
  view.game_id = game.summary().game_id;
  view.black_name = game.summary().black_name;
  view.white_name = game.summary().white_name;
  view.our_color = game.summary().our_color;
  view.position = game.position();
  view.moves.reserve(game.moves().size());
  for (const Game::Played& played : game.moves()) {
    view.moves.push_back({played.text, played.consumed});
  }
  view.black_main_time = shown_main_time(game.ledger(), shogi::Color::black);
  view.white_main_time = shown_main_time(game.ledger(), shogi::Color::white);
  view.turn_started = playing.turn_started;
  view.record_path = record_path_;
  view.occurrences = game.occurrences();
  view.max_moves = game.summary().max_moves;
  view.ponder = {playing.tally.searches, playing.tally.hits, playing.tally.gained};
  if (playing.thought.score) {
    const usi::Score& score = *playing.thought.score;
    const std::int64_t sign = playing.thinker == shogi::Color::black ? 1 : -1;
    view.score = ViewedScore{
        score.is_mate,
        score.is_mate ? (score.mate_is_lost ? -1 : 1) * std::abs(score.value) * sign
                      : score.value * sign,
        playing.thought.depth,
        {}};
    for (const std::string& move : playing.thought.pv) {
      view.score->pv += (view.score->pv.empty() ? "" : " ") + move;
    }
  }
  return view;
}

View Bot::Core::view() const {
  View view;
  view.phase = name_of(phase_);
  view.engine_name = seat_.engine_name();
  view.games_finished = games_finished_;
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
