// What the moves of a game take: since when the present turn runs, here and at the server; our move as it left, until
// the server plays one for us; what the server will charge us for it; and what became of our time. It is told what was
// played and when, and knows no engine and no line.
#pragma once

#include <optional>
#include <utility>

#include "base/time.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/game_record.hpp"
#include "bridge/game/link_margin.hpp"
#include "bridge/game/thought.hpp"
#include "bridge/time_statistics.hpp"
#include "csa/client_session.hpp"
#include "shogi/move.hpp"

namespace kakehashi::bridge {

/// Our move as it left.
struct SentMove {
  shogi::Move move;
  Thought thought;
  base::SteadyTime left;
  bool is_repeated = false;                ///< it was sent again over another connection
  std::optional<base::Millis> entitled{};  ///< nothing: untimed
  base::Millis had{0};                     ///< what the engine could use of it
  base::Millis main_time{0};               ///< on our clock before the turn
  std::optional<base::Millis> elapsed{};   ///< of our turn until then
  std::optional<bool> ponder_hit{};
};

class MoveAccount {
 public:
  /// `agreed`: nothing of the game was played before.
  MoveAccount(base::SteadyTime started, base::SteadyTime agreed) : turn_started_(started), turn_began_min_(agreed) {}

  void send(SentMove move) { sent_ = std::move(move); }
  /// It was sent again, over another connection: how long it takes tells nothing of the way.
  void repeat();
  [[nodiscard]] const std::optional<SentMove>& sent() const { return sent_; }
  /// A move of ours stands: what left before, if anything did.
  [[nodiscard]] std::optional<SentMove> settle() { return std::exchange(sent_, std::nullopt); }

  /// What the server will charge us at most for a move of this turn that leaves, or left, then: servers count whole
  /// seconds, the way included.
  [[nodiscard]] base::Millis charge_until(base::SteadyTime sent, const Game& game, const LinkMargin& link) const;
  /// The same for our move whose echo never came, by the reply to it.
  [[nodiscard]] base::Millis charge_unechoed(const csa::MovePlayed& move, base::SteadyTime now, const Game& game,
                                             const LinkMargin& link) const;
  /// The echo of our move: what it took, when that can be told. The link learns from it.
  [[nodiscard]] std::optional<MoveTime> take_echo(const csa::MovePlayed& echo, base::SteadyTime now, const Game& game,
                                                  LinkMargin& link);
  /// What the clock here saw of a move that came just now.
  [[nodiscard]] MoveFacts facts_behind(const csa::MovePlayed& played, const Thought* thought,
                                       base::SteadyTime now) const;
  /// The board holds it, and the next turn begins. `counted`: what its mover was charged, when that is known.
  void begin_turn(const csa::MovePlayed& played, base::Millis counted, const Game& game, base::SteadyTime now);
  /// The present turn began behind the loss of a line, at the latest then.
  void begin_turn_unseen(base::SteadyTime lost_at) { turn_started_ = turn_began_min_ = lost_at; }

  [[nodiscard]] base::SteadyTime turn_started() const { return turn_started_; }
  [[nodiscard]] const TimeStatistics& time() const { return time_; }

 private:
  std::optional<SentMove> sent_;
  base::SteadyTime turn_started_;
  base::SteadyTime turn_began_min_;  ///< at the server, whatever held its word up
  TimeStatistics time_;
};

}  // namespace kakehashi::bridge
