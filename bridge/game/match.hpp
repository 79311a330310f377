// The room game: one game from its offer to its result. It owns position, clocks, turn, ponder and rescue; it knows
// no login and no process, and speaks to engines through the team alone.
//
// One game from START to its result: position and clocks as the server echoes them, our turn, the opponent's, the
// record, and what became of the time. It knows the words of a game and nothing of sockets and logins; it outlives a
// line that is lost, where the server may give the game back.
//
// Back into such a game (Reconnect_Token, CSA reference 6.5): the position that comes back is compared with ours,
// move by move; the clocks are the server's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridge/finished_game.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/game_record.hpp"
#include "bridge/game/move_account.hpp"
#include "bridge/game/thought.hpp"
#include "bridge/game/turn.hpp"
#include "bridge/time_statistics.hpp"
#include "bridge/view.hpp"
#include "csa/client_session.hpp"

namespace kakehashi::bridge {

/// Of the bot's games so far.
struct Statistics {
  int games_finished = 0;
  Totals<PonderStatistics> ponder;
  Totals<TimeStatistics> time;
};

class Match {
 public:
  /// `agreed`: nothing of it was played before.
  Match(Game game, GameRecord record, base::SteadyTime started, base::SteadyTime agreed);
  /// Tells the records that it has begun.
  void begin(const Context& context);

  // --- the server's words
  void on_move(const GameContext& in, csa::MovePlayed& event);
  void on_special(const csa::SpecialPlayed& event);
  void on_ending(const GameContext& in, const csa::GameEnding& event);
  void on_goes_on(const Context& context, const csa::GameGoesOn& event);
  /// The result: tells records, people and engines. `end` as it may be shown.
  [[nodiscard]] FinishedGame finish(const Context& context, const csa::GameEnd& end, Statistics& statistics);

  // --- the engines' words, and the book's
  void on_ready(const GameContext& in);
  void on_lost(const GameContext& in, const EngineLost& lost);
  void on_info(const Context& context, EngineTeam::Seat seat, const usi::SearchInfo& info);
  /// False when no turn waits for it.
  [[nodiscard]] bool on_answer(const GameContext& in, const usi::SearchAnswered& answer);
  void on_stop_obeyed(const Context& context);
  void on_engine_link(const Context& context);
  void on_member_answer(const GameContext& in, const MemberAnswered& given);
  void on_member_lost(const GameContext& in, const MemberLost& lost);
  /// Before an engine is heard with a line that is no info.
  void on_engine_line(const GameContext& in, EngineTeam::Seat seat);
  void on_book_answered(const GameContext& in, const BookAnswered& answer);

  // --- time
  /// Begins what is due, when no further line waits: the next one may end the game.
  void begin_due(const GameContext& in);
  /// Its deadline has passed.
  void on_time(const GameContext& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// Behind each step: what has become of it is noted, and an engine's keeper told by when it is to stop.
  void end_step(const Context& context);

  /// Ends it by our word, if that may be said now.
  void resign(const GameContext& in, const base::Message& why);
  /// What runs for this game ends without an answer.
  void drop_search(const Context& context);

  // --- a line that is lost
  [[nodiscard]] bool may_rejoin() const { return game_.summary().reconnect_token && !ending_.is_announced; }
  void suspend(const GameContext& in, const base::Message& why);
  [[nodiscard]] bool is_suspended() const { return suspended_.has_value(); }
  /// Since when its line is lost.
  [[nodiscard]] base::SteadyTime lost_at() const { return suspended_->at; }
  /// Plays what was played meanwhile; false when no such moves lead to the position that the server tells.
  [[nodiscard]] bool catch_up(const Context& context, const shogi::Position& position, const csa::ResumeState& state);
  /// With the clocks as the server says, and the token for the next time.
  void go_on(const GameContext& in, const csa::ResumeState& state, std::string token);

  [[nodiscard]] const Game& game() const { return game_; }
  /// An engine thinks for it, or owes it a move: none is changed.
  [[nodiscard]] bool is_on_turn() const { return turn_.has_value(); }
  /// See Turn; nothing while it is not our turn.
  [[nodiscard]] std::optional<base::SteadyTime> decides_at() const {
    return turn_ ? std::optional(turn_->decides_at()) : std::nullopt;
  }
  [[nodiscard]] bool is_thinking() const { return turn_ || ahead_.is_searching(); }
  /// How long the connection is worth holding: see HoldLine.
  [[nodiscard]] base::Millis line_patience() const;
  [[nodiscard]] GameView view(const EngineTeam& team) const;

 private:
  /// A '#' line has announced the end; on our turn it is doubted when no result follows.
  struct Ending {
    bool is_announced = false;
    std::string doubted{};
    std::optional<base::SteadyTime> doubt_at{};
    std::optional<csa::SpecialPlayed> special{};  ///< a resignation or declaration, by either side
  };
  struct Suspended {
    base::SteadyTime at;
    std::string unanswered;  ///< what left on our turn and was not echoed; empty: nothing
  };

  [[nodiscard]] Turn::Inputs for_turn(const Context& context) {
    return {{context, game_, thinking_}, ahead_, trouble_};
  }
  void begin_turn(const GameContext& in);
  /// Sends the answer of our turn, if it has one.
  void answer(const GameContext& in);
  void send_move(const GameContext& in, const Turn::Play& play);
  void send(const GameContext& in, std::string line);
  void doubt_end(const GameContext& in);
  /// Our move is echoed; one that could not be made stands on no board.
  void settle_sent_move(const Context& context, bool is_on_board);
  void add_to_record(const Context& context, const csa::MovePlayed& event, const shogi::Position& before,
                     const std::optional<Deviation>& deviation);
  void account_for(const Context& context, const csa::MovePlayed& echo);
  /// What each of the team says of our move, for people and the record.
  [[nodiscard]] std::vector<ViewedMember> members(const EngineTeam& team) const;

  Game game_;
  GameRecord record_;
  MoveAccount account_;
  Thinking thinking_;
  std::optional<Turn> turn_;
  Ahead ahead_;
  std::string last_sent_;  ///< the last move, %TORYO or %KACHI that left
  bool turn_is_due_ = false;  ///< ours has come, and lines that are still in the buffer may yet end the game
  Trouble trouble_;
  TeamAccount team_account_;
  Ending ending_;
  std::optional<Suspended> suspended_;
};

}  // namespace kakehashi::bridge
