#include "watch/report.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace kakehashi::watch {
namespace {

std::string describe_score(const bridge::ViewedScore& score) {
  const std::string sign = score.value > 0 ? "+" : "";
  return (score.is_mate ? "mate " : "") + sign + std::to_string(score.value);
}

std::string describe_bot(const Report::Bot& bot, const base::Now& now) {
  const std::string until = bot.is_done ? "" : until_window(bot.view, now);
  std::string text = bot.state->name() + ": " + (bot.is_done ? "left" : bridge::name_of(bot.view.phase)) +
                     (until.empty() ? "" : " " + until);
  if (bot.view.phase == bridge::Phase::playing && bot.view.game) {
    text += ", move " + std::to_string(bot.view.game->moves.size());
    if (bot.view.game->score) {
      text += ", " + describe_score(*bot.view.game->score);
    }
  }
  return text;
}

}  // namespace

std::string until_window(const bridge::View& view, const base::Now& now) {
  if (!view.window) {
    return {};
  }
  const base::Millis left = view.window->at - now.wall;
  const std::string in = left.count() < 1'000 ? "" : ", in " + base::format_millis(left.count() / 1'000 * 1'000);
  return "until " + view.window->opens + in;
}

const char* state_of(const bridge::ViewedEngineLink& link) {
  return link.is_out ? "out" : link.ways_lost > 0 ? "reduced" : "up";
}

bool is_ready(const Report::Bot& bot) {
  const bridge::Phase phase = bot.view.phase;
  return phase == bridge::Phase::waiting || phase == bridge::Phase::agreeing || phase == bridge::Phase::playing ||
         phase == bridge::Phase::resting;
}

std::string line(const Report& report) {
  std::string text;
  for (const Report::Bot& bot : report.bots) {
    text += (text.empty() ? "" : " | ") + describe_bot(bot, report.now);
  }
  return text;
}

std::string not_ready(const Report& report) {
  std::string text;
  for (const Report::Bot& bot : report.bots) {
    if (!bot.is_done && !is_ready(bot)) {
      const std::string& trouble = bot.state->trouble();
      text += bot.state->name() + ": " + bridge::name_of(bot.view.phase) + (trouble.empty() ? "" : "; " + trouble) + "\n";
    }
  }
  return text;
}

// --- one bot for a person

namespace {

std::string describe_clock(std::optional<base::Millis> left) {
  return left ? base::format_millis(left->count()) : "untimed";
}

std::string describe_thought(const bridge::ViewedScore& score) {
  const std::string value = (score.is_mate ? "mate " : "") + std::to_string(score.value);
  return value + " for black at depth " + std::to_string(score.depth);
}

std::string describe_game(const bridge::GameView& game, base::SteadyTime now) {
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
  return text + (game.score ? ", " + describe_thought(*game.score) : "");
}

}  // namespace

std::string describe_state(const bridge::View& view, base::SteadyTime now) {
  std::string text = bridge::name_of(view.phase);
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

}  // namespace kakehashi::watch
