#include "bridge/status/state_line.hpp"

#include <optional>

#include "base/text.hpp"

namespace kakehashi::bridge {
namespace {

std::string describe_clock(std::optional<base::Millis> left) {
  return left ? base::format_millis(left->count()) : "untimed";
}

std::string describe_score(const ViewedScore& score) {
  const std::string value = (score.is_mate ? "mate " : "") + std::to_string(score.value);
  return value + " for black at depth " + std::to_string(score.depth);
}

std::string describe_game(const GameView& game, base::SteadyTime now) {
  const bool is_black = game.our_color == shogi::Color::black;
  std::string text = std::string(is_black ? "black" : "white") + " against " +
                     base::quote_for_log(is_black ? game.white_name : game.black_name) +
                     ", game " + base::quote_for_log(game.game_id) + ", " +
                     std::to_string(game.moves.size()) + " moves";
  if (game.end) {
    return text + ", over";
  }
  const bool is_our_turn = game.position.side_to_move() == game.our_color;
  text += std::string(", ") + (is_our_turn ? "our" : "their") + " turn for " +
          base::format_millis(base::millis_between(game.turn_started, now).count()) +
          ", clocks " + describe_clock(game.black_main_time) + " and " +
          describe_clock(game.white_main_time);
  return text + (game.score ? ", " + describe_score(*game.score) : "");
}

}  // namespace

std::string describe_state(const View& view, base::SteadyTime now) {
  std::string text = name_of(view.phase);
  if (view.window) {
    text += " until " + view.window->opens;
  }
  if (!view.engine_name.empty()) {
    text += std::string(view.standby_plays ? ", standby engine " : ", engine ") +
            base::quote_for_log(view.engine_name);
  }
  text += ", games finished: " + std::to_string(view.games_finished);
  if (view.game) {
    text += std::string(view.game->end ? "; last game: " : "; ") + describe_game(*view.game, now);
  }
  return text;
}

}  // namespace kakehashi::bridge
