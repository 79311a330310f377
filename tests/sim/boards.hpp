// The games of a story as the server plays them: positions and clocks, followed by its reports. The
// measure for what the bots and the engines believe.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_report.hpp"
#include "shogi/position.hpp"

namespace kakehashi::sim {

struct Board {
  std::string game_id;
  std::array<std::string, 2> names;  ///< black, white
  rehearse::server::ClockRules clock;
  shogi::Position position;
  int plies = 0;
  std::string last_move;  ///< as it was echoed, without its time; empty before the first
  std::array<std::int64_t, 2> main_time_s{};
  base::Millis turn_began{0};
  bool is_over = false;

  [[nodiscard]] std::optional<shogi::Color> color_of(const std::string& name) const;
  /// What that side may use for a turn; nothing when untimed.
  [[nodiscard]] std::optional<base::Millis> budget_of(shogi::Color color) const;
  /// What the side to move may still use; nothing when untimed.
  [[nodiscard]] std::optional<base::Millis> time_left(base::Millis at) const;
};

class Boards {
 public:
  /// The board that a report is about; nothing for a game that did not begin.
  Board* follow(const rehearse::server::GameReport& report, base::Millis at);
  [[nodiscard]] Board* find(const std::string& game_id);
  /// The server is gone, and its games with it.
  void forget_all();

 private:
  std::map<std::string, Board> boards_;
};

}  // namespace kakehashi::sim
