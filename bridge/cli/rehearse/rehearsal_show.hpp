// What a rehearsal shows on standard output: a picture redrawn in place on a terminal, or one line
// a move. Owns the terminal while it lives; what is in the picture is live_view.hpp's business.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "base/time.hpp"
#include "bridge/cli/rehearse/game_follower.hpp"
#include "bridge/cli/rehearse/series.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge::cli {

/// What is told while games are played.
class Show {
 public:
  Show() = default;
  virtual ~Show() = default;
  Show(const Show&) = delete;
  Show& operator=(const Show&) = delete;

  /// Whether observe() is of use; a view costs a copy of the game.
  [[nodiscard]] virtual bool wants_views() const = 0;
  virtual void observe(std::size_t bot, View view) = 0;
  /// The clocks go on between moves.
  virtual void draw(base::SteadyTime now) = 0;
  /// A line outside the picture: below it, or in its turn.
  virtual void say(const std::string& line) = 0;
  virtual void moved(int game, int plies) = 0;
  virtual void ended(const SeriesResult& result, base::SteadyTime now) = 0;
  /// A game that was begun ends without a result.
  virtual void broken_off(int game) = 0;
};

/// Game by game, with the board and each move.
class RehearsalShow : public Show {
 public:
  /// `redraws`: a picture in place. `out` must outlive the show.
  RehearsalShow(std::ostream& out, int games, bool redraws, Look look);

  [[nodiscard]] bool wants_views() const override { return true; }
  void observe(std::size_t bot, View view) override;
  void draw(base::SteadyTime now) override;
  void say(const std::string& line) override;
  // What it tells of them stands in the views.
  void moved(int, int) override {}
  void ended(const SeriesResult&, base::SteadyTime) override {}
  void broken_off(int) override {}

  /// The result, the count of moves and both records of each game; the score after several.
  void tell_results(const std::string& first_name, const std::string& second_name);

  [[nodiscard]] std::size_t games_finished() const { return follower_.finished().size(); }

 private:
  std::ostream& out_;
  GameFollower follower_;
  bool redraws_;
  Look look_;
  std::string footnote_;
  bool is_first_picture_ = true;
};

}  // namespace kakehashi::bridge::cli
