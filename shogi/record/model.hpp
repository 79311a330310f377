// The room shogi/record: records of games. It owns what a record holds, and every format in which one is read and
// written; it touches no file, and knows no server and no running game.
//
// A game as a record knows it, free of any file format: who, when, from where, which moves with
// which times and thoughts, and how it ended. The writers and readers beside it know the formats.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi::record {

/// One side's clock. Nothing: not known.
struct Clock {
  std::optional<base::Millis> total;
  base::Millis byoyomi{0};
  base::Millis increment{0};

  friend bool operator==(const Clock&, const Clock&) = default;
};

/// Of a score: exact, or at least so much (lower) or at most (upper) from black's point of view.
enum class Bound { exact, lower, upper };

/// What the mover's engine thought.
struct Evaluation {
  std::int64_t score = 0;  ///< centipawns from black's point of view; a mate is ±100000
  std::vector<std::string> pv;  ///< CSA moves behind the played one
  std::optional<std::int64_t> depth;
  std::optional<std::int64_t> nodes;
  Bound bound = Bound::exact;
  /// Plies to mate: positive when black mates, negative when white does; 0 when only the sign of
  /// the score tells who. Nothing: no mate was seen, or nobody told.
  std::optional<std::int64_t> mate = std::nullopt;
  std::optional<std::int64_t> seldepth = std::nullopt;
  std::optional<std::int64_t> nps = std::nullopt;
  std::optional<std::int64_t> hashfull = std::nullopt;  ///< per mille

  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

struct RecordedMove {
  Move move;
  std::optional<base::Millis> consumed;  ///< as the server counted it
  std::optional<Evaluation> evaluation;
  std::vector<std::string> comments;  ///< one line each, without the apostrophe
  /// From the moment the mover's turn began, here, until the move was sent or arrived.
  std::optional<base::Millis> elapsed = std::nullopt;
  /// From sending an own move to the server's echo.
  std::optional<base::Millis> link_delay = std::nullopt;
  /// The engine pondered, and on this move (a hit) or on another one (a miss).
  std::optional<bool> ponder_hit = std::nullopt;

  friend bool operator==(const RecordedMove&, const RecordedMove&) = default;
};

/// The special moves of CSA files (V3.0, "special moves"); MATTA is not written.
enum class EndingKind {
  toryo, chudan, sennichite, time_up, illegal_move, illegal_action_by_black,
  illegal_action_by_white, jishogi, kachi, hikiwake, max_moves, tsumi, fuzumi, error,
};

struct Ending {
  EndingKind kind = EndingKind::chudan;
  std::optional<base::Millis> consumed;  ///< of a resignation or declaration
  std::vector<std::string> comments = {};  ///< one line each, after the special move
  std::string reason = {};  ///< the server's word, "#OUTE_SENNICHITE"; empty: not told

  friend bool operator==(const Ending&, const Ending&) = default;
};

struct Record {
  std::string event;  ///< the game id
  std::string site;
  std::string black_name;
  std::string white_name;
  std::optional<base::WallTime> started;
  std::optional<base::WallTime> ended;
  std::chrono::minutes utc_offset{0};  ///< of the zone in which times are written
  std::optional<Clock> black_clock;
  std::optional<Clock> white_clock;
  std::optional<int> max_moves;
  std::string jishogi_rule;  ///< "27"; empty: not known
  Position start = Position::startpos();
  /// All moves from `start`, those listed before the game included.
  std::vector<RecordedMove> moves;
  std::optional<Ending> ending;
  std::vector<std::string> comments;  ///< before the moves
  /// What its reader did not understand and read on without, a sentence each, with its place ("line 12: ").
  std::vector<base::Message> doubts = {};
};

/// Whether a record agrees with itself, its ending with its last position, its times with its clocks: what is wrong, a
/// sentence each, beginning with "move N: ", "ending: " or the place of a doubt; empty when all is well. Times are checked only where the record
/// has both them and the clock. That moves can be played its reader has found already.
[[nodiscard]] std::vector<base::Message> inconsistencies(const Record& record);

}  // namespace kakehashi::shogi::record
