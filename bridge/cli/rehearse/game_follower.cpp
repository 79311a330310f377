#include "bridge/cli/rehearse/game_follower.hpp"

#include <utility>

namespace kakehashi::bridge::cli {
namespace {

shogi::Color mover_of(const GameView& game, std::size_t index) {
  // The moves lead up to the present position, so the sides alternate back from it.
  const bool is_last_mover_black = game.position.side_to_move() == shogi::Color::white;
  const bool is_same_as_last = (game.moves.size() - 1 - index) % 2 == 0;
  return is_last_mover_black == is_same_as_last ? shogi::Color::black : shogi::Color::white;
}

}  // namespace

std::vector<std::string> GameFollower::observe(std::size_t bot, View view) {
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
    lines.push_back(format_move_line(game, told_, std::exchange(scores_[mover], std::nullopt)));
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
  finished.result = format_end(first);
  finished.moves = first.moves.size();
  finished.outcome = first.end->outcome;
  finished.record_paths = {first.record_path, second.record_path};
  lines.push_back("game " + std::to_string(number_) + ": " + finished.result + " after " +
                  std::to_string(finished.moves) + " moves");
  finished_.push_back(std::move(finished));
}

WatchedGame GameFollower::watched() const {
  WatchedGame watched;
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

}  // namespace kakehashi::bridge::cli
