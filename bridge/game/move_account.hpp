// What the moves of a game take: since when the present turn runs, here and at the server; our move as it left, until
// the server plays one for us; what the server will charge us for it; and what became of our time. It is told what was
// played and when, and knows no engine and no line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine/engine_team.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/consultation.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/game_record.hpp"
#include "bridge/game/link_margin.hpp"
#include "bridge/game/thought.hpp"
#include "bridge/time_statistics.hpp"
#include "bridge/view.hpp"
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

// --- what the members of a team that thinks together have chosen and said in one game: whose our moves were, and what each
// said on our last turn. It is for the record and for people; no move depends on it.

class TeamAccount {
 public:
  using Seat = EngineTeam::Seat;

  /// Our turn has its answer, behind what was said on it; nothing: no others were asked.
  void end_turn(const std::optional<Consultation>& said) { said_ = said; }
  /// A move of ours leaves that this member chose; nothing: no engine did.
  void send(std::optional<Seat> by, const EngineTeam& team);
  /// Whose our last move was; empty where no team thinks together.
  [[nodiscard]] const std::string& chosen_by() const { return chosen_by_; }
  [[nodiscard]] const std::optional<Consultation>& said() const { return said_; }
  /// Of a team that thinks together, by seat; empty for any other. With what has been `said`, on this turn or the last
  /// one, by whoever has our color.
  [[nodiscard]] std::vector<ViewedMember> members(const EngineTeam& team, const Ahead& ahead,
                                                  const std::optional<Consultation>& said, shogi::Color us) const;

 private:
  std::vector<int> moves_by_seat_;  ///< that it chose
  std::string chosen_by_;
  std::optional<Consultation> said_;  ///< on our last turn
};

/// "team: engine +7776FU 80 (depth 12), second +2726FU": empty when nothing was said.
[[nodiscard]] std::string describe_opinions(const std::vector<ViewedMember>& members);

}  // namespace kakehashi::bridge
