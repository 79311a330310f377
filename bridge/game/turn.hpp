// Our turn, from the line that gave it to us to its one answer: book, search, what becomes of its engine, deadline,
// declaration, resignation, rescue. Nothing is answered that the rules of shogi forbid, and something is before the
// flag falls. It knows the game and the engines, and no server: who owns it sends the answer.
//
// With engine.team_play: majority, optimist or first_with_advice the other members search beside the engine that plays,
// and what is answered is TeamTurn's to say. All else holds for the one that plays as ever: it is doubted, lost and
// replaced as a single engine. Without another that was asked a turn of such a team is that of a single engine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bridge/game/ahead.hpp"
#include "bridge/game/consultation.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/rescue.hpp"
#include "bridge/game/silence_watch.hpp"
#include "bridge/game/team_turn.hpp"
#include "bridge/game/think_time.hpp"
#include "bridge/game/thought.hpp"

namespace kakehashi::bridge {

/// A question to the opening book, on one turn. After its deadline the engine is asked as if there were no book.
class BookQuestion {
 public:
  /// If there is a book, and time enough to hear it.
  void ask(const TurnContext& in, const TurnClock& clock);
  /// True when that is the answer which is waited for.
  [[nodiscard]] bool hear(const BookAnswered& answer);
  void give_up() { asked_.reset(); }
  [[nodiscard]] bool is_open() const { return asked_.has_value(); }
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const {
    return asked_ ? std::optional(asked_->give_up) : std::nullopt;
  }

 private:
  struct Asked {
    std::uint64_t number = 0;
    base::SteadyTime give_up;
  };
  std::optional<Asked> asked_;
};

class Turn {
 public:
  struct Play {
    shogi::Move move;
    std::optional<EngineTeam::Seat> by{};  ///< the engine that chose it; nothing: the book, or a rescue
  };
  struct Resign {
    base::Message why;
  };
  struct Declare { int points = 0; };
  using Answer = std::variant<Play, Resign, Declare>;

  /// What a turn is played with besides.
  struct Inputs : TurnContext {
    Ahead& ahead;
    Trouble& trouble;
  };

  /// It is ours since `started`.
  Turn(const Inputs& in, base::SteadyTime started);
  /// Its first step. `must_resign`: the operator wants the game to end.
  void begin(const Inputs& in, bool must_resign);

  // --- what happens meanwhile; each may bring the answer
  void on_answer(const Inputs& in, const usi::SearchAnswered& answer);
  /// The same of one that was asked beside the one that plays.
  void on_member_answer(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer);
  void on_member_lost(const Inputs& in, EngineTeam::Seat seat);
  void on_info(EngineTeam::Seat seat, const usi::SearchInfo& info);
  void on_book_answered(const Inputs& in, const BookAnswered& answer);
  /// An engine is ready, this one or another.
  void on_ready(const Inputs& in);
  void on_lost(const Inputs& in, const EngineLost& lost);
  /// An answer that the rescue of the turn before has overtaken may come in this one: its end is set anew.
  void on_stop_obeyed(const Inputs& in);
  /// An engine says a line while our search waits behind an abandoned one: the search gets what is left when its turn
  /// comes, not what was left when it began to wait.
  void renew_queued_search(const Inputs& in, EngineTeam::Seat seat);
  /// A link to an engine has come or gone.
  void on_engine_link(const Inputs& in);
  void on_time(const Inputs& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// When it acts whatever the engine does: it tells it to stop, or plays another move.
  [[nodiscard]] base::SteadyTime decides_at() const { return clock_.is_hurried() ? clock_.rescue_at() : clock_.hurry_at(); }
  /// To be called behind each step: notes whether an engine thinks, and tells the keeper of the one that searches when
  /// to stop it, should the link be out by then.
  void end_step(const Context& context);

  /// Once: the answer, behind the call that brought it.
  [[nodiscard]] std::optional<Answer> take_answer() { return std::exchange(answer_, std::nullopt); }

  /// No engine has answered in time, and one was asked alone: another should play from here on.
  [[nodiscard]] bool changes_engine() const { return is_overdue_ && !silence_.has_doubted(); }
  [[nodiscard]] const std::optional<usi::SearchId>& search() const { return search_; }
  [[nodiscard]] const TurnClock& clock() const { return clock_; }
  [[nodiscard]] const std::optional<bool>& ponder_hit() const { return ponder_hit_; }
  /// Of a team that consults, when more than one was asked: what each has said.
  [[nodiscard]] const std::optional<Consultation>& consultation() const { return others_.consultation(); }

 private:
  /// What is seen to when its time has come, in this order.
  enum class Due { book, stop, others, rescue, old_search, silence };
  static constexpr std::array all_due{Due::book,   Due::stop,       Due::others,
                                      Due::rescue, Due::old_search, Due::silence};

  [[nodiscard]] std::optional<base::SteadyTime> deadline_of(Due what) const;
  void see_to(Due what, const Inputs& in);
  [[nodiscard]] TeamTurn::Inputs for_team(const TurnContext& in) const { return {in, clock_}; }
  /// Of the engine that plays; the turn lasts as long as any may be waited for that is asked besides.
  [[nodiscard]] ThinkTime limits(const Inputs& in, base::Millis spent) const;
  void think(const Inputs& in);
  /// Else the rescue deadline is about to act.
  [[nodiscard]] bool has_time_to_search(const Inputs& in) const;
  void begin_search(const Inputs& in);
  void request_search(const Inputs& in);
  /// The answer of who plays, to that search.
  void expect(const Inputs& in, std::optional<usi::SearchId> search);
  /// What was asked for is there, of one of those that were asked together.
  void hear(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer);
  void follow(const Inputs& in, const TeamTurn::Verdict& verdict);
  void choose(const Inputs& in, const usi::SearchAnswered& answer, EngineTeam::Seat by);
  void declare(const Inputs& in);
  /// That engine counts otherwise than the server.
  void forbid_declaration(const Inputs& in, EngineTeam::Seat seat);
  void hurry(const Inputs& in);
  void watch_silence(const Inputs& in);
  void look_at_silence(const Inputs& in);
  /// That engine's answer cannot be played. True when that may lie at the length of the line: then the position alone is
  /// what it is asked from here on.
  [[nodiscard]] bool doubts_line(const Inputs& in, EngineTeam::Seat seat);
  /// When to look at old searches that ours wait behind.
  void watch_old_searches(const Inputs& in, base::SteadyTime no_sooner);
  void look_at_old_searches(const Inputs& in);
  /// Until when that engine may go on with an old search; nothing where ours does not wait behind one.
  [[nodiscard]] std::optional<base::SteadyTime> old_search_limit(const Inputs& in, EngineTeam::Seat seat) const;
  /// A process that is started now can have searched before our time is up.
  [[nodiscard]] bool pays_to_restart(const Inputs& in, EngineTeam::Seat seat) const;
  void rescue(const Inputs& in, const base::Message& why);
  void play_without_engine(const Inputs& in, RescueCause cause, const base::Message& why);
  void play_fallback(const Inputs& in, const base::Message& why, std::optional<RescueCause> cause);

  TurnClock clock_;
  BookQuestion book_;
  std::optional<usi::SearchId> search_;  ///< nothing while there is no engine to search
  EngineTeam::Seat search_seat_ = 0;     ///< whose it is
  TeamTurn others_;
  SilenceWatch silence_;
  std::optional<base::SteadyTime> old_searches_at_;  ///< they are looked at
  StopOrders stop_orders_;
  bool is_overdue_ = false;  ///< the deadline has passed without a word
  int unusable_answers_ = 0;
  bool is_asked_anew_ = false;  ///< by the position alone
  std::optional<bool> ponder_hit_;  ///< nothing when the engine did not ponder
  std::optional<Answer> answer_;
};

}  // namespace kakehashi::bridge
