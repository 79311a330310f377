// One game from its summary to its result: both sides' agreement, the clock, the referee, and the
// lines that each side gets, in order. It knows sides, not connections or players' sessions; who
// is closed after the game, and what waits for its turn, is the server's business.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_name.hpp"
#include "rehearse/server/game_report.hpp"
#include "rehearse/server/referee.hpp"
#include "shogi/move.hpp"

namespace kakehashi::rehearse::server {

// --- the clocks of one game as shogi-server keeps them: whole seconds, rounded down, no allowance for the network. They
// are told when a turn began and when a line was read, and read no clock themselves.
// Source: shogi-server's ChessClock, ChessClockWithLeastZero and StopWatchClock, as observed.

/// M is a side's main time, t what a turn took:
///
///   | clock      | t                         | lost when                     | else M becomes       |
///   | ---------- | ------------------------- | ----------------------------- | -------------------- |
///   | untimed    | max(floor, least)         | never                         | stays                |
///   | ordinary   | max(floor, least)         | M - t + byoyomi + increment   | max(0, M + inc - t)  |
///   |            |                           |   <= 0: reaching it exactly   |                      |
///   | stop-watch | floor to slices of NN s   | M <= t                        | M - t                |
class ChessClock {
 public:
  explicit ChessClock(const ClockRules& rules);

  /// What a turn of that length is charged, in seconds; nothing when it lost on time.
  [[nodiscard]] std::optional<std::int64_t> judge(shogi::Color mover,
                                                  base::SteadyTime turn_began,
                                                  base::SteadyTime now) const;
  /// Charges a turn that judge() allowed.
  void charge(shogi::Color mover, std::int64_t seconds);

  /// The first instant at which a turn that began then is lost; nothing when untimed.
  [[nodiscard]] std::optional<base::SteadyTime> expiry(shogi::Color mover,
                                                       base::SteadyTime turn_began) const;

  /// M of that side.
  [[nodiscard]] std::int64_t main_time_s(shogi::Color color) const {
    return main_s_[static_cast<std::size_t>(color)];
  }

 private:
  [[nodiscard]] std::int64_t charged_s(base::SteadyTime turn_began, base::SteadyTime now) const;

  ClockRules rules_;
  std::array<std::int64_t, 2> main_s_;
};

// --- the game

/// A move of a prepared start, with the time that the summary shows for it.
struct ListedMove {
  std::string text;
  std::int64_t seconds = 1;
};

struct GameSetup {
  std::string id;
  std::array<std::string, 2> names;  ///< black, white
  ClockRules clock;
  int max_moves = 0;  ///< 0: no limit
  shogi::Position start;
  std::vector<ListedMove> moves;  ///< legal ones
};

struct SideLine {
  shogi::Color to;
  std::string line;
};

/// What a call leads to: lines in order, and facts for those who watch.
struct RoomOutput {
  std::vector<SideLine> lines;
  std::vector<GameReport> reports;
};

/// | phase    | AGREE of both | REJECT, a side leaves | a line of the mover | clock runs out  |
/// | -------- | ------------- | --------------------- | ------------------- | --------------- |
/// | agreeing | -> playing    | -> over               | (not called)        | (no clock)      |
/// | playing  | (not called)  | the mover: -> over;   | judged              | -> over         |
/// |          |               | the other: noticed at |                     |                 |
/// |          |               | the mover's next line |                     |                 |
class GameRoom {
 public:
  explicit GameRoom(GameSetup setup);

  [[nodiscard]] const GameSetup& setup() const { return setup_; }
  [[nodiscard]] const Referee& referee() const { return referee_; }
  [[nodiscard]] bool is_playing() const { return phase_ == Phase::playing; }
  [[nodiscard]] bool is_over() const { return phase_ == Phase::over; }
  [[nodiscard]] bool has_agreed(shogi::Color side) const { return agreed_[static_cast<std::size_t>(side)]; }
  /// Whether lines of that side are judged now.
  [[nodiscard]] bool is_turn(shogi::Color side) const;
  /// The last move of the game, sent once more: shogi-server drops such a line.
  [[nodiscard]] bool is_repeated(std::string_view line) const;

  /// START once both have agreed.
  [[nodiscard]] RoomOutput agree(shogi::Color side, base::Now now);
  [[nodiscard]] RoomOutput reject(std::string_view by);

  /// A line of the side to move that begins with '+', '-' or '%'. The clock is judged first.
  [[nodiscard]] RoomOutput play(std::string_view line, base::Now now);
  /// Ends the game when the time of the side to move is over.
  [[nodiscard]] RoomOutput look_at_clock(base::Now now);
  /// That side is gone, from a game that is being played.
  [[nodiscard]] RoomOutput leave(shogi::Color side);
  /// A side broke the protocol in a game that is being played, and loses it.
  [[nodiscard]] RoomOutput foul(shogi::Color side, std::string_view line);
  /// When look_at_clock() will have something to say; nothing when untimed or not playing.
  [[nodiscard]] std::optional<base::SteadyTime> expiry() const;

 private:
  enum class Phase { agreeing, playing, over };

  [[nodiscard]] shogi::Color mover() const { return referee_.position().side_to_move(); }
  [[nodiscard]] bool is_absent(shogi::Color side) const {
    return absent_[static_cast<std::size_t>(side)];
  }
  void end(RoomOutput& output, const Ending& ending, std::string_view last_line);
  void record(RoomOutput& output, shogi::Color side, const Ruling& ruling, std::int64_t seconds, base::Now now);

  GameSetup setup_;
  ChessClock clock_;
  Referee referee_;
  Phase phase_ = Phase::agreeing;
  std::array<bool, 2> agreed_{};
  std::array<bool, 2> absent_{};
  base::SteadyTime turn_began_{};
  std::vector<PlayedMove> moves_;
};

// --- the Game_Summary block, line by line in shogi-server's order and words

/// For that side: with its Your_Turn, with the start and the moves of a prepared start.
[[nodiscard]] std::vector<std::string> summary_lines(const GameRoom& room, shogi::Color side);

}  // namespace kakehashi::rehearse::server
