// What a rehearsal shows on standard output while its games are played: game by game, with the board and each move, or
// a series and how it stands. Either is a picture redrawn in place on a terminal, or lines. Owns the terminal while it
// lives; what is in the picture of a game is live_view.hpp's business, and what a series says sprt.hpp's.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/view.hpp"
#include "cli/lines.hpp"
#include "rehearse/rehearsal_report.hpp"
#include "rehearse/series.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::cli {

// --- game by game

struct FollowedGame {
  base::Message result;  ///< "alice won (#RESIGN)"
  std::size_t moves = 0;
  csa::Outcome outcome = csa::Outcome::none;        ///< for the first bot
  std::array<std::string, 2> record_paths;          ///< of both bots; empty: none was written
};

/// Follows the games of a rehearsal through the eyes of both its bots: which move is new, which engine thought what when
/// it was played, when a game is over for both. Pure: views in, lines out.
class GameFollower {
 public:
  explicit GameFollower(int games) : games_(games) {}

  /// Takes the present view of bot 0 or 1; returns what there is to tell since the last time: a
  /// line when a game begins, one for each move, some when it ends.
  [[nodiscard]] std::vector<base::Message> observe(std::size_t bot, bridge::View view);

  /// The present or last game, for render_live_view(); valid until the next observe().
  [[nodiscard]] watch::WatchedGame watched() const;
  [[nodiscard]] const std::vector<FollowedGame>& finished() const { return finished_; }

 private:
  [[nodiscard]] bool has_common_game() const;
  [[nodiscard]] std::size_t bot_of(shogi::Color color) const;
  void remember_score(std::size_t bot);
  void tell_moves(std::vector<base::Message>& lines);
  void tell_end(std::vector<base::Message>& lines);

  int games_;
  int number_ = 0;
  std::array<bridge::View, 2> views_;
  /// What each engine last thought on its own turn.
  std::array<std::optional<bridge::ViewedScore>, 2> scores_;
  std::string game_id_;
  std::size_t told_ = 0;
  bool is_over_ = true;
  std::vector<FollowedGame> finished_;
};

/// With the board and each move.
class RehearsalShow : public rehearse::Show {
 public:
  /// `redraws`: a picture in place. `output` must outlive the show.
  RehearsalShow(const Lines& output, int games, bool redraws, watch::Look look);

  [[nodiscard]] bool wants_views() const override { return true; }
  void observe(std::size_t bot, bridge::View view) override;
  void draw(base::SteadyTime now) override;
  void tell(const base::Message& line) override;
  // What it tells of them stands in the views.
  void moved(int, int) override {}
  void ended(const rehearse::SeriesResult&, base::SteadyTime) override {}
  void broken_off(int) override {}

  /// The result, the count of moves and both records of each game; the score after several.
  void tell_results(const std::string& first_name, const std::string& second_name);

  [[nodiscard]] std::size_t games_finished() const { return follower_.finished().size(); }

 private:
  const Lines& output_;
  GameFollower follower_;
  bool redraws_;
  watch::Look look_;
  base::Message footnote_;
  bool is_first_picture_ = true;
};

// --- a series of games: how it stands, how sure that is, how long it will take

using PlayerNames = std::array<std::string, 2>;
using rehearse::RehearsalReport;

inline constexpr std::size_t label_columns = 9;  ///< before what a report says

/// "1 game", "2 games".
[[nodiscard]] base::Message games_text(int games);

/// How it stands, in one line. `left`: until the end; nothing: not known.
[[nodiscard]] base::Message progress_line(const rehearse::Series& series, std::optional<base::Millis> left);
/// The same at length: games, pairs, Elo, the test, how games ended.
[[nodiscard]] std::vector<RehearsalReport::Line> summary_lines(const rehearse::Series& series, const PlayerNames& names);
/// Pairs, Elo and test alone; none before a pair is played.
[[nodiscard]] std::vector<RehearsalReport::Line> strength_lines(const rehearse::Series& series, const PlayerNames& names);

/// A line for each game, and from time to time where it stands.
class SeriesShow : public rehearse::Show {
 public:
  /// `series` and `output` must outlive it. `redraws`: a picture in place.
  SeriesShow(const Lines& output, const rehearse::Series& series, PlayerNames names, bool redraws);

  [[nodiscard]] bool wants_views() const override { return false; }
  void observe(std::size_t bot, bridge::View view) override;
  void draw(base::SteadyTime now) override;
  void tell(const base::Message& line) override;
  void moved(int game, int plies) override;
  void ended(const rehearse::SeriesResult& result, base::SteadyTime now) override;
  void broken_off(int game) override;

  static constexpr base::Millis progress_interval{10'000};

 private:
  [[nodiscard]] std::optional<base::Millis> left(base::SteadyTime now) const;

  const Lines& output_;
  const rehearse::Series& series_;
  PlayerNames names_;
  bool redraws_;
  bool is_first_picture_ = true;
  int played_before_;
  std::optional<base::SteadyTime> began_;
  std::optional<base::SteadyTime> told_;
  std::map<int, int> running_;     ///< plies by game
  std::deque<base::Message> latest_;  ///< what was said
};

}  // namespace kakehashi::cli
