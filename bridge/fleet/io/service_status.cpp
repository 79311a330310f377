#include "bridge/fleet/io/service_status.hpp"

#include <array>
#include <chrono>
#include <ctime>

#include "base/text.hpp"

namespace kakehashi::bridge::fleet::io {
namespace {

/// In the machine's zone: people compare it with the clock on the wall.
std::string time_of_day(base::WallTime at) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts{};
  std::array<char, 16> text{};
  if (::localtime_r(&seconds, &parts) == nullptr) {
    return "";
  }
  return {text.data(), std::strftime(text.data(), text.size(), "%H:%M", &parts)};
}

std::string score_for_us(const GameView& game) {
  const auto& score = *game.score;
  const std::int64_t ours = game.our_color == shogi::Color::black ? score.value : -score.value;
  return std::string(score.is_mate ? "mate " : "") + (ours > 0 ? "+" : "") + std::to_string(ours) +
         " at depth " + std::to_string(score.depth);
}

std::string describe_game(const GameView& game) {
  const bool is_black = game.our_color == shogi::Color::black;
  return base::quote_for_log(is_black ? game.white_name : game.black_name, 40) + " as " +
         (is_black ? "black" : "white") + ", move " + std::to_string(game.moves.size()) +
         (game.score ? ", " + score_for_us(game) : "");
}

}  // namespace

std::string describe_for_service(const View& view, const std::string& since) {
  if (view.phase == Phase::playing && view.game && !view.game->end) {
    return "playing " + describe_game(*view.game);
  }
  std::string text = name_of(view.phase);
  if (view.window) {
    text += " until " + view.window->opens;
  } else if (!since.empty()) {
    text += " since " + since;
  }
  if (view.games_finished > 0) {
    text += ", " + std::to_string(view.games_finished) +
            (view.games_finished == 1 ? " game finished" : " games finished");
  }
  return text;
}

bool ServiceStatus::is_due(base::SteadyTime now) const {
  return !looked_at_ || base::millis_between(*looked_at_, now) >= interval_min;
}

std::optional<std::string> ServiceStatus::observe(const View& view, const base::Now& now) {
  if (view.phase != phase_) {
    phase_ = view.phase;
    since_ = time_of_day(now.wall);
  }
  looked_at_ = now.steady;
  auto text = describe_for_service(view, since_);
  if (text == told_) {
    return std::nullopt;
  }
  told_ = text;
  return text;
}

}  // namespace kakehashi::bridge::fleet::io
