// The present state of a bot as plain values, for the live view, status reports and tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "bridge/phase.hpp"
#include "bridge/time_statistics.hpp"
#include "csa/client_session.hpp"
#include "csa/game_clock.hpp"
#include "shogi/position.hpp"

namespace kakehashi::bridge {

struct ViewedMove {
  std::string move;  ///< CSA, seven bytes
  base::Millis consumed{0};
  /// What the mover's engine thought: of ours always, of the opponent's where the server passes it on.
  /// Centipawns for black, mates as ±30000.
  std::optional<std::int64_t> score{};
  std::optional<std::int64_t> mate{};  ///< plies; positive: black mates; 0: how many is not known
  std::optional<std::int64_t> depth{};
};

/// An evaluation from black's point of view.
struct ViewedScore {
  bool is_mate = false;
  std::int64_t value = 0;  ///< centipawns, or plies to mate (positive: black mates)
  std::int64_t depth = 0;
  std::string pv;  ///< USI, from the present position on; empty when another way was taken
  std::int64_t nps = 0;
  std::int64_t hashfull = 0;  ///< per mille
};

/// What thinking on the opponent's time was good for.
struct ViewedPonder {
  int searches = 0;
  int hits = 0;
  base::Millis gained{0};
};

/// What an engine of a team that consults has answered.
struct ViewedOpinion {
  std::string move;                     ///< CSA; or "%TORYO", "%KACHI"
  std::optional<std::int64_t> score{};  ///< as in comments: centipawns for black, mates as ±100000
  std::int64_t depth = 0;               ///< 0: it told none
};

/// An engine of a team that thinks together, and what it did in the game.
struct ViewedMember {
  std::string name;         ///< as the settings call it
  std::string engine;       ///< as it greeted
  bool is_ready = false;
  bool plays = false;       ///< our turn is its, or was the last time
  bool is_out = false;      ///< it has failed too often to take part in the rest of the game, ready or not
  int moves = 0;            ///< that it chose
  ViewedPonder ponder;      ///< replies that it thought ahead on
  std::optional<ViewedOpinion> said{};  ///< on our turn, or on the last one
};

struct GameView {
  std::string game_id;
  std::string black_name;
  std::string white_name;
  shogi::Color our_color = shogi::Color::black;
  shogi::Position start = shogi::Position::startpos();  ///< before the first of the moves
  shogi::Position position;
  std::vector<ViewedMove> moves;  ///< listed ones included
  std::optional<base::Millis> black_main_time;  ///< at the start of the present turn; nothing: untimed
  std::optional<base::Millis> white_main_time;
  csa::TimeControls times;
  base::SteadyTime turn_started{};
  std::optional<ViewedScore> score;
  ViewedPonder ponder;
  std::vector<ViewedMember> members;  ///< of a team that thinks together, by seat
  TimeStatistics time;                ///< of our moves
  int occurrences = 0;           ///< of the present position, by our count; the fourth decides
  std::optional<int> max_moves;  ///< plies at which the game ends
  std::optional<csa::GameEnd> end;
  std::string record_path;
};

/// The way to the server, as measured.
struct ViewedLink {
  std::chrono::microseconds round_trip{0};  ///< smoothed
  std::chrono::microseconds jitter{0};      ///< its mean deviation
};

/// The way to an engine that a keeper holds.
struct ViewedEngineLink {
  int ways = 1;
  int ways_lost = 0;     ///< that were up before
  bool is_out = false;   ///< nothing of the engine can be heard
  std::chrono::microseconds round_trip{0};  ///< smoothed, of the fastest way; 0: not measured yet
  std::chrono::microseconds jitter{0};      ///< its mean deviation
  int cuts = 0;                             ///< times that it was out
  base::Millis out{0};                      ///< in all, the present one included
};

/// When a bot that waits for its window logs in.
struct ViewedWindow {
  std::string opens;      ///< "Mon 20:00", in the schedule's zone
  base::WallTime at{};
};

struct View {
  Phase phase = Phase::preparing;
  std::string engine_name;      ///< of the one that plays
  bool standby_plays = false;   ///< and that is the standby engine
  std::optional<GameView> game;  ///< the present game, or the last one
  int games_finished = 0;
  std::optional<ViewedWindow> window;  ///< while it waits for one
  std::optional<ViewedLink> link;  ///< nothing before it was measured
  std::optional<ViewedEngineLink> engine_link;  ///< of the first engine that a keeper holds
  base::Millis margin{0};          ///< kept back of each move now
  ViewedPonder ponder;             ///< of all finished games
};

}  // namespace kakehashi::bridge
