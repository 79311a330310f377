// Follows the games of a rehearsal through the eyes of both its bots: which move is new, which
// engine thought what when it was played, when a game is over for both. Pure: views in, lines out.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bridge/cli/live_view.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge::cli {

struct FollowedGame {
  std::string result;  ///< "alice won (#RESIGN)"
  std::size_t moves = 0;
  csa::Outcome outcome = csa::Outcome::none;        ///< for the first bot
  std::array<std::string, 2> record_paths;          ///< of both bots; empty: none was written
};

class GameFollower {
 public:
  explicit GameFollower(int games) : games_(games) {}

  /// Takes the present view of bot 0 or 1; returns what there is to tell since the last time: a
  /// line when a game begins, one for each move, some when it ends.
  [[nodiscard]] std::vector<std::string> observe(std::size_t bot, View view);

  /// The present or last game, for render_live_view(); valid until the next observe().
  [[nodiscard]] WatchedGame watched() const;
  [[nodiscard]] const std::vector<FollowedGame>& finished() const { return finished_; }

 private:
  [[nodiscard]] bool has_common_game() const;
  [[nodiscard]] std::size_t bot_of(shogi::Color color) const;
  void remember_score(std::size_t bot);
  void tell_moves(std::vector<std::string>& lines);
  void tell_end(std::vector<std::string>& lines);

  int games_;
  int number_ = 0;
  std::array<View, 2> views_;
  /// What each engine last thought on its own turn.
  std::array<std::optional<ViewedScore>, 2> scores_;
  std::string game_id_;
  std::size_t told_ = 0;
  bool is_over_ = true;
  std::vector<FollowedGame> finished_;
};

}  // namespace kakehashi::bridge::cli
