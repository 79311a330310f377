// The phases of a bot as data: what is known in each stands in its struct, and nowhere else.
//
// What an event does in a phase ("-": ignored, for the reason in the last line; "odd": noted).
// tests/bridge/phase_table_test.cpp walks this table.
//
//  phase     | ServerConnected | ServerLine     | ServerClosed | engine ready | engine lost   | deadline         | stop (drain)
//  ----------+-----------------+----------------+--------------+--------------+---------------+------------------+---------------
//  Preparing | odd, closed     | -              | -            | Connecting   | seat restarts | -                | Leaving
//  Connecting| LoggingIn       | -              | Backoff      | -            | seat restarts | Backoff          | Leaving
//  LoggingIn | odd             | Waiting or     | Backoff      | -            | seat restarts | Backoff          | Leaving
//            |                 | Backoff        |              |              |               |                  |
//  Waiting   | odd             | Agreeing       | Backoff      | -            | seat restarts | keepalive        | Leaving
//  Agreeing  | odd             | Playing or     | Backoff, or  | AGREE        | AGREE waits   | REJECT, if not   | REJECT, Leaving;
//            |                 | Waiting, or    | Leaving when |              |               | agreed           | when agreed it
//            |                 | another offer  | draining     |              |               |                  | goes on
//  Playing   | odd             | the game; its  | Backoff, or  | search again | rescue        | stop, rescue     | goes on, then
//            |                 | end: Preparing | Leaving when |              |               |                  | Leaving
//            |                 |                | draining     |              |               |                  |
//  Backoff   | odd, closed     | -              | -            | -            | seat restarts | Preparing        | Leaving
//  Resting   | odd, closed     | -              | -            | -            | seat restarts | Preparing        | Leaving
//  Leaving   | odd             | LOGOUT answered| engine quits | -            | Gone, when it | close, then quit | -
//            |                 |                |              |              | was quitting  |                  |
//  Gone      | -               | -              | -            | -            | -             | -                | -
//  ("-": a line or close of a connection that was given up already; or nothing depends on it.)
//  Resting takes the place of Connecting and Waiting outside the schedule's windows. A game whose line was
//  lost and that the server may give back waits beside the phases (LostGame). A game that is to be resigned is
//  so on our turn; else "resign" does what "drain" does, and in Leaving it leaves at once, as "at_once" does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/eval_comment.hpp"
#include "bridge/finished_game.hpp"
#include "bridge/game.hpp"
#include "bridge/game_record.hpp"
#include "bridge/think_time.hpp"
#include "bridge/time_tally.hpp"
#include "csa/client_session.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

/// No connection: the engine must be ready first, so that nothing slow runs on the game clock.
struct Preparing {};
struct Connecting {
  base::SteadyTime give_up;
};
struct LoggingIn {
  base::SteadyTime give_up;
  base::SteadyTime asked;  ///< when LOGIN left
};
struct Waiting {};
/// A game is offered. AGREE goes out as soon as the engine is idle.
struct Agreeing {
  Game game;
  bool is_engine_told = false;  ///< of the game's rules
  bool has_agreed = false;
  base::SteadyTime reject_at;  ///< before the server's own window closes
};

/// A question to the opening book. After `give_up` the engine is asked as if there were no book.
struct Lookup {
  std::uint64_t number = 0;
  base::SteadyTime give_up;
};

/// Our turn, from the line that gave it to us to the move that is sent.
struct OwnTurn {
  base::SteadyTime started;
  ThinkTime limits;
  std::optional<usi::SearchId> search{};  ///< nothing while there is no engine to search
  base::Millis given{0};  ///< to the first engine that was asked
  bool is_hurried = false;
  /// No engine thinks, and the book is not asked either; and how long that was so before.
  std::optional<base::SteadyTime> idle_since{};
  base::Millis idle{0};
  int unusable_answers = 0;
  /// When to look whether the engine has said anything.
  std::optional<base::SteadyTime> doubt_at{};
  bool is_doubted = false;  ///< two engines search
  std::optional<Lookup> lookup{};  ///< whose answer is waited for
  std::optional<bool> ponder_hit{};  ///< nothing when the engine did not ponder
};

/// A `go ponder` that runs, or its parked answer.
struct Pondering {
  usi::SearchId search;
  shogi::Move predicted;
  base::SteadyTime started;
  /// Stochastic_Ponder: until the hit the engine thinks about the position before the prediction,
  /// so that its lines and scores are of the other side.
  bool is_rewound = false;
  /// What an engine that is lost had answered before: it holds when the prediction comes true.
  std::optional<usi::SearchAnswered> parked{};
};

/// What thinking ahead was good for in one game.
struct PonderTally {
  int searches = 0;
  int hits = 0;
  base::Millis gained{0};  ///< on the opponent's time, on hits

  void add(const PonderTally& other) {
    searches += other.searches;
    hits += other.hits;
    gained += other.gained;
  }
};

/// Our move as it left, until the server plays one for us.
struct SentMove {
  shogi::Move move;
  Thought thought;
  base::SteadyTime left;                         ///< when it was sent
  bool is_repeated = false;                      ///< it was sent again over another connection
  std::optional<base::Millis> entitled{};        ///< nothing: untimed
  base::Millis had{0};                           ///< what the engine could use of it
  base::Millis main_time{0};                     ///< on our clock before the turn
  std::optional<base::Millis> elapsed{};         ///< of our turn until then
  std::optional<bool> ponder_hit{};
};

/// A principal variation and the ply of the position that it begins at.
struct ThoughtLine {
  int ply = 0;
  std::vector<std::string> pv;  ///< USI
};

struct Playing {
  Game game;
  GameRecord record;
  base::SteadyTime turn_started;
  /// Our turn has come, and lines that are still in the buffer may yet end the game.
  bool turn_is_due = false;
  /// Our move stands (with ponder: early: it left), and lines that are still in the buffer may hold the reply or the end.
  bool ponder_is_due = false;
  std::optional<OwnTurn> turn{};
  std::optional<Pondering> pondering{};
  PonderTally tally{};
  TimeTally time{};
  std::vector<RescueMove> rescues{};
  std::optional<SentMove> sent{};
  Thought thought{};                 ///< of the search that runs, or of the last one
  int thought_ply = 0;               ///< of the position that was searched
  std::vector<std::optional<usi::Score>> scores{};  ///< by ply, of our moves that stand
  ThoughtLine earlier{};             ///< of the search before that one
  shogi::Color thinker = shogi::Color::black;
  int low_scores = 0;                ///< own moves in a row at or below the score of game.resign
  std::string expected_reply{};      ///< USI; the reply that our last bestmove predicted
  std::string last_sent{};           ///< the last move, %TORYO or %KACHI that left
  bool is_ending = false;            ///< a '#' line has announced the end
  std::string doubted{};             ///< that line, on our turn
  std::optional<base::SteadyTime> doubt_at{};  ///< a result that has not come then is missed
  std::optional<csa::SpecialPlayed> special{};  ///< a resignation or declaration, by either side

  /// What the engine thought of a move that stands; nullptr when it was not ours.
  [[nodiscard]] const Thought* thought_behind(const csa::MovePlayed& played) const {
    if (!played.is_ours || thinker != played.mover) {
      return nullptr;
    }
    return sent ? &sent->thought : &thought;
  }
  /// The same, with what the clock here saw of a move that came just now, before it is settled.
  [[nodiscard]] MoveFacts facts_behind(const csa::MovePlayed& played, base::SteadyTime now) const {
    MoveFacts facts{thought_behind(played)};
    if (!played.is_ours) {
      facts.elapsed = base::millis_between(turn_started, now);
    } else if (sent) {
      facts.elapsed = sent->elapsed;
      if (!played.is_unechoed) {
        facts.link_delay = base::millis_between(sent->left, now);
      }
      facts.ponder_hit = sent->ponder_hit;
    }
    return facts;
  }
};

/// A game whose line was lost and that the server may give back: kept through Connecting,
/// LoggingIn, Backoff and Waiting until it goes on or is given up.
struct LostGame {
  Playing playing;
  base::SteadyTime lost_at;
  base::SteadyTime give_up;
  std::string unanswered;  ///< what left on our turn and was not echoed; empty: nothing
  std::string token;       ///< the latest one
  std::optional<csa::GameSummary> summary{};  ///< of the game given back
};

struct Backoff { base::SteadyTime until; };
struct Resting {};  ///< outside the windows of the schedule: logged out, the engine ready
/// On the way out: LOGOUT where it is due, then the engine's `quit`.
struct Leaving {
  base::SteadyTime give_up;
  bool engine_is_quitting = false;
  int exit_status = 0;
};
struct Gone {};

using Phase = std::variant<Preparing, Connecting, LoggingIn, Waiting, Agreeing, Playing, Backoff,
                           Resting, Leaving, Gone>;

/// "waiting", "playing", …: for people and for tests.
[[nodiscard]] const char* name_of(const Phase& phase);

}  // namespace kakehashi::bridge
