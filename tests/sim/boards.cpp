#include "sim/boards.hpp"

#include "base/overload.hpp"

namespace kakehashi::sim {

using base::Millis;
using shogi::Color;

std::optional<Color> Board::color_of(const std::string& name) const {
  if (names[0] == name) {
    return Color::black;
  }
  return names[1] == name ? std::optional(Color::white) : std::nullopt;
}

std::optional<Millis> Board::budget_of(Color color) const {
  if (clock.is_untimed()) {
    return std::nullopt;
  }
  const auto main_s = main_time_s[static_cast<std::size_t>(color)];
  return Millis{1000 * (clock.is_stop_watch ? main_s : main_s + clock.byoyomi_s + clock.increment_s)};
}

std::optional<Millis> Board::time_left(Millis at) const {
  const auto budget = budget_of(position.side_to_move());
  return budget ? std::optional(*budget - (at - turn_began)) : std::nullopt;
}

Board* Boards::follow(const rehearse::server::GameReport& report, Millis at) {
  return std::visit(
      base::Overload{[&](const rehearse::server::GameStarted& started) {
                       Board& board = boards_[started.game_id] = Board{};
                       board.game_id = started.game_id;
                       board.names = started.names;
                       board.clock = started.clock;
                       board.position = started.position;
                       board.main_time_s = {started.clock.total_s, started.clock.total_s};
                       board.turn_began = at;
                       return &board;
                     },
                     [&](const rehearse::server::MovePlayed& played) {
                       Board* board = find(played.game_id);
                       if (board != nullptr) {
                         board->position.play(played.move.move);
                         board->plies = played.ply;
                         board->last_move = played.move.text.substr(0, 7);
                         board->main_time_s = played.main_time_s;
                         board->turn_began = at;
                       }
                       return board;
                     },
                     [&](const rehearse::server::GameEnded& ended) {
                       Board* board = find(ended.game_id);
                       if (board != nullptr) {
                         board->is_over = true;
                       }
                       return board;
                     },
                     [&](const rehearse::server::GameRejected&) -> Board* { return nullptr; }},
      report);
}

Board* Boards::find(const std::string& game_id) {
  const auto found = boards_.find(game_id);
  return found == boards_.end() ? nullptr : &found->second;
}

void Boards::forget_all() { boards_.clear(); }

}  // namespace kakehashi::sim
