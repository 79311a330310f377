// A series of games as people watch it: how it stands, how sure that is, how long it will take. A line for each
// game and from time to time where it stands, or a picture redrawn in place. What it all means is sprt.hpp's business.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/cli/rehearse/rehearsal_show.hpp"
#include "bridge/cli/rehearse/series.hpp"

namespace kakehashi::bridge::cli {

using PlayerNames = std::array<std::string, 2>;

/// How it stands, in one line. `left`: until the end; nothing: not known.
[[nodiscard]] std::string progress_line(const Series& series, std::optional<base::Millis> left);
/// The same at length: games, pairs, Elo, the test, how games ended.
[[nodiscard]] std::vector<std::string> summary_lines(const Series& series, const PlayerNames& names);
/// Pairs, Elo and test alone; none before a pair is played.
[[nodiscard]] std::vector<std::string> strength_lines(const Series& series, const PlayerNames& names);

class SeriesShow : public Show {
 public:
  /// `series` and `out` must outlive it. `redraws`: a picture in place.
  SeriesShow(std::ostream& out, const Series& series, PlayerNames names, bool redraws);

  [[nodiscard]] bool wants_views() const override { return false; }
  void observe(std::size_t bot, View view) override;
  void draw(base::SteadyTime now) override;
  void say(const std::string& line) override;
  void moved(int game, int plies) override;
  void ended(const SeriesResult& result, base::SteadyTime now) override;
  void broken_off(int game) override;

  static constexpr base::Millis progress_interval{10'000};

 private:
  [[nodiscard]] std::optional<base::Millis> left(base::SteadyTime now) const;

  std::ostream& out_;
  const Series& series_;
  PlayerNames names_;
  bool redraws_;
  bool is_first_picture_ = true;
  int played_before_;
  std::optional<base::SteadyTime> began_;
  std::optional<base::SteadyTime> told_;
  std::map<int, int> running_;     ///< plies by game
  std::deque<std::string> latest_;  ///< what was said
};

}  // namespace kakehashi::bridge::cli
