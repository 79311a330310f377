// What a rehearsal shows on standard output: a picture redrawn in place on a terminal, or one line
// a move. Owns the terminal while it lives; what is in the picture is live_view.hpp's business.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "base/time.hpp"
#include "bridge/cli/rehearse/game_follower.hpp"
#include "bridge/view.hpp"

namespace kakehashi::bridge::cli {

class RehearsalShow {
 public:
  /// `redraws`: a picture in place. `out` must outlive the show.
  RehearsalShow(std::ostream& out, int games, bool redraws, Look look);

  void observe(std::size_t bot, View view);
  /// The clocks go on between moves.
  void draw(base::SteadyTime now);
  /// A line outside the picture: below it, or in its turn.
  void say(const std::string& line);
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
