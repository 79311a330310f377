// Our turn, as far as it is a team's that consults (engine.team_play: majority, optimist, first_with_advice): who was
// asked beside the engine that plays, when each is told to stop, and how long the others are waited for with an answer
// in hand. Whose answer it is, Consultation says. The one that plays is its owner's: book, deadline, doubt and rescue
// are as with a single engine, and whoever takes its place may be at the search already. It asks engines, and judges and
// plays no move.
//
//   state    | entered by                                  | left by
//   ---------+---------------------------------------------+---------------------------------------------
//   unasked  | construction; ask(), where no other can be  | ask() -> shared
//   shared   | ask(): another was asked as well            | decided, or all the time is over: Chosen
//            |                                             | nobody can be played: Nobody -> alone
//            |                                             | the one that plays is the last: -> alone
//   alone    | see there                                   | nothing: the turn is that of a single engine
//
// While it is shared and somebody has said a move, the others are waited for until wait_until_. Then they are told to
// stop, and have stop_wait to obey; then what has been said counts.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/consultation.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/think_time.hpp"

namespace kakehashi::bridge {

/// What the keepers of engines were told of a turn: when to stop its searches, should the link be out by then.
class StopOrders {
 public:
  void tell(const Context& context, EngineTeam::Seat seat, usi::SearchId search, base::SteadyTime at);

 private:
  /// Last, by engine: searches are counted anew in each process.
  std::map<EngineId, std::pair<usi::SearchId, base::SteadyTime>> told_;
};

class TeamTurn {
 public:
  using Seat = EngineTeam::Seat;

  struct Inputs : TurnContext {
    const TurnClock& clock;
  };

  // --- what has become of it, behind a call
  struct Open {};                                   ///< somebody is waited for, or it is no team's turn
  /// The team's; who gave it plays from here on, if it is well.
  struct Chosen {
    Seat seat = 0;
    usi::SearchAnswered answer;
  };
  struct Nobody {};                                 ///< nobody has said what can be played, and nobody is asked any more
  using Verdict = std::variant<Open, Chosen, Nobody>;

  // --- what happens
  /// All others that can be asked, beside the one that plays and its `search`. Those of `hits` go on with the reply that
  /// they pondered.
  void ask(const Inputs& in, usi::SearchId search, const std::vector<Ahead::Hit>& hits);
  /// The one that plays begins anew.
  void follow_player(Seat player, usi::SearchId search);
  /// Its search still waits behind an abandoned one: it gets what is left when its turn comes.
  void renew_queued_search(const Inputs& in, Seat seat);
  void on_info(Seat seat, const usi::SearchInfo& info);
  /// Its answer is there.
  [[nodiscard]] Verdict say(const Inputs& in, Seat seat, Consultation::Opinion opinion);
  /// The same where others were asked and the turn is not shared any more: what it has said is for people, and for the record.
  void note(Seat seat, Consultation::Opinion opinion);
  /// Nothing more is to be heard of it; settle() says what comes of that.
  void lose(Seat seat);
  [[nodiscard]] Verdict settle(const Inputs& in);
  /// There is no time left: what has been said counts, whoever has not.
  [[nodiscard]] std::optional<Chosen> settle_now(const Inputs& in);
  void on_engine_link(const Inputs& in);
  /// At its deadline.
  [[nodiscard]] Verdict on_time(const Inputs& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// Tells the keepers of those that were asked besides.
  void tell_keepers(const Context& context, StopOrders& orders) const;

  // --- how it stands
  /// The answer is the team's to give.
  [[nodiscard]] bool is_shared() const { return consultation_ && !is_alone_; }
  [[nodiscard]] bool is_awaiting() const { return is_shared() && consultation_->is_awaiting(); }
  /// That search is one of those whose answers count.
  [[nodiscard]] bool awaits(Seat seat, usi::SearchId search) const {
    return is_shared() && consultation_->members()[seat].search == search;
  }
  // Of a turn that is shared:
  [[nodiscard]] const Consultation::Member& member(Seat seat) const { return consultation_->members()[seat]; }
  /// How long any that is still to answer is worth waiting for, from the turn's start; 0: nobody is waited for.
  /// `may_resign`: see engine.on_failure.
  [[nodiscard]] base::Millis longest_wait(const TurnContext& in, bool may_resign) const;
  /// A line that another has told is better than none: for a move that no engine gives.
  void lend_line(Thinking& thinking) const;
  /// What each has said, when more than one was asked.
  [[nodiscard]] const std::optional<Consultation>& consultation() const { return consultation_; }

 private:
  void ask_one(const Inputs& in, Seat seat);
  void stop_those_due(const Inputs& in);
  [[nodiscard]] Verdict wait_no_more(const Inputs& in);
  [[nodiscard]] Chosen conclude(const Inputs& in, Seat seat);
  void go_on_alone(const Inputs& in);
  /// Until when an answer that is there waits for the others.
  [[nodiscard]] base::SteadyTime wait_end(const Inputs& in) const;
  /// None of those that are waited for can be heard; since when the last of them cannot.
  [[nodiscard]] std::optional<base::SteadyTime> all_out_since(const Inputs& in) const;
  /// When a move that is there has to leave, whatever may be tried where none is (engine.on_failure: resign).
  [[nodiscard]] base::SteadyTime answer_by(const Inputs& in) const;

  std::optional<Consultation> consultation_;    ///< when others were asked
  bool is_alone_ = false;                       ///< their answers count no more
  std::optional<base::SteadyTime> wait_until_;  ///< with an answer in hand, for the others
  bool is_wait_over_ = false;                   ///< they were told to stop
};

}  // namespace kakehashi::bridge
