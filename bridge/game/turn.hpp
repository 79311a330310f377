// Our turn, from the line that gave it to us to its one answer: book, search, what becomes of its engine, deadline,
// declaration, resignation, rescue. Nothing is answered that the rules of shogi forbid, and something is before the
// flag falls. It knows the game and the engines, and no server: who owns it sends the answer.
//
// With engine.team_play: majority, optimist or first_with_advice the other members search beside the engine that plays,
// and what is answered is Consultation's to say. All else holds for the one that plays as ever: it is doubted, lost and
// replaced as a single engine, and whoever takes its place may be at the search already. Without another that was asked
// a turn of such a team is that of a single engine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bridge/event.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/consultation.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/rescue.hpp"
#include "bridge/game/think_time.hpp"
#include "bridge/game/thought.hpp"

namespace kakehashi::bridge {

/// When our turn ends for whom: since when it runs, what is granted, when the engine is told to stop and when another
/// move must be played, and for how long of that no engine thought. It decides nothing.
class TurnClock {
 public:
  TurnClock(base::SteadyTime started, const ThinkTime& limits)
      : started_(started), limits_(limits), given_(limits.given) {}

  /// By what is known now of clocks and link.
  void set(const ThinkTime& limits) { limits_ = limits; }
  /// No clock runs: a repeated search gets the whole time again.
  void start_again(base::SteadyTime now) { started_ = now; }
  /// The rescue comes no later than this from the turn's start.
  void rescue_within(base::Millis time) { limits_.rescue_after = std::min(limits_.rescue_after, time); }
  /// Behind each step: whether an engine thinks, or the book is asked.
  void watch_idleness(bool thinks, base::SteadyTime now);
  /// What is left of the turn is no engine's.
  void end_thinking(base::SteadyTime now);

  [[nodiscard]] base::SteadyTime started() const { return started_; }
  [[nodiscard]] base::Millis spent(base::SteadyTime now) const { return base::millis_between(started_, now); }
  [[nodiscard]] const ThinkTime& limits() const { return limits_; }
  /// All that the server grants; nothing: untimed.
  [[nodiscard]] const std::optional<base::Millis>& entitled() const { return limits_.entitled; }
  [[nodiscard]] base::SteadyTime hurry_at() const { return started_ + limits_.hurry_after; }
  [[nodiscard]] base::SteadyTime rescue_at() const { return started_ + limits_.rescue_after; }
  /// What the engine could use of it, were the answer to leave now: without a word of it, nothing after it was lost.
  [[nodiscard]] base::Millis time_of_engine() const;

 private:
  base::SteadyTime started_;
  ThinkTime limits_;
  base::Millis given_{0};  ///< to the first engine that was asked
  std::optional<base::SteadyTime> idle_since_;  ///< no engine thinks, and the book is not asked either
  base::Millis idle_before_{0};
};

class Turn {
 public:
  struct Play { shogi::Move move; };
  struct Resign { std::string why; };  ///< for people
  struct Declare { int points = 0; };
  using Answer = std::variant<Play, Resign, Declare>;

  /// What a turn is played with besides.
  struct Inputs : Context {
    const Game& game;
    Thinking& thinking;
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
  /// No engine can be had any more.
  void on_given_up(const Inputs& in, const std::string& why);
  /// An answer that the rescue of the turn before has overtaken may come in this one: its end is set anew.
  void on_stop_obeyed(const Inputs& in);
  /// An engine says a line while our search waits behind an abandoned one: the search gets what is left when its turn
  /// comes, not what was left when it began to wait.
  void renew_queued_search(const Inputs& in, EngineTeam::Seat seat);
  /// A link to an engine has come or gone.
  void on_engine_link(const Inputs& in);
  void on_time(const Inputs& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;
  /// To be called behind each step: notes whether an engine thinks, and tells the keeper of the one that searches when
  /// to stop it, should the link be out by then.
  void end_step(const Context& context);

  /// Once: the answer, behind the call that brought it.
  [[nodiscard]] std::optional<Answer> take_answer() { return std::exchange(answer_, std::nullopt); }

  /// No engine has answered in time, and one was asked alone: another should play from here on.
  [[nodiscard]] bool changes_engine() const { return is_overdue_ && !is_doubted_; }
  [[nodiscard]] const std::optional<usi::SearchId>& search() const { return search_; }
  [[nodiscard]] const TurnClock& clock() const { return clock_; }
  /// An engine chose the move, and no book or rescue.
  [[nodiscard]] bool is_of_engine() const { return is_of_engine_; }
  [[nodiscard]] const std::optional<bool>& ponder_hit() const { return ponder_hit_; }
  /// Of a team that consults, when more than one was asked: what each has said.
  [[nodiscard]] const std::optional<Consultation>& consultation() const { return consultation_; }
  /// Whose answer it was, then; it may be gone meanwhile.
  [[nodiscard]] const std::optional<EngineTeam::Seat>& chosen_seat() const { return chosen_seat_; }

 private:
  /// A question to the opening book. After `give_up` the engine is asked as if there were no book.
  struct Lookup {
    std::uint64_t number = 0;
    base::SteadyTime give_up;
  };
  /// In the order in which they are looked at.
  enum class Deadline { book, hurry, members, wait, rescue, silence };

  [[nodiscard]] std::optional<base::SteadyTime> deadline(Deadline which) const;
  [[nodiscard]] bool has_passed(Deadline which, const Context& context) const;
  /// Of the engine that plays; the turn lasts as long as any may be waited for that is asked besides.
  [[nodiscard]] ThinkTime limits(const Inputs& in, base::Millis spent) const;
  [[nodiscard]] ThinkTime limits(const Inputs& in, EngineTeam::Seat seat, base::Millis spent) const;
  [[nodiscard]] ThinkTimeRules rules(const Inputs& in, EngineTeam::Seat seat) const;
  [[nodiscard]] bool ends_without_a_search(const Inputs& in);
  [[nodiscard]] bool ask_book(const Inputs& in);
  void doubt_book(const Inputs& in);
  void think(const Inputs& in);
  void begin_search(const Inputs& in);
  void request_search(const Inputs& in);
  /// An engine could still be ready before another move must be played.
  [[nodiscard]] bool may_be_back(const Inputs& in) const;
  void choose(const Inputs& in, const usi::SearchAnswered& answer);

  // --- with others
  [[nodiscard]] bool is_shared() const { return consultation_ && !is_alone_; }
  /// Those that can be asked besides. The ones that pondered the reply go on.
  void ask_others(const Inputs& in, const Ahead::Found& found);
  void ask(const Inputs& in, EngineTeam::Seat seat);
  /// What was asked for is there.
  void hear(const Inputs& in, EngineTeam::Seat seat, const usi::SearchAnswered& answer);
  /// Answers, if nothing can change the answer any more; with one in hand the others are not waited for as long as
  /// there is time.
  void settle(const Inputs& in);
  void conclude(const Inputs& in, EngineTeam::Seat seat);
  /// From here on a turn of the one that plays, and of nobody else.
  void go_on_alone(const Inputs& in);
  /// Until when an answer that is there waits for the others.
  [[nodiscard]] base::SteadyTime wait_end(const Inputs& in) const;
  /// None of those that are waited for can be heard; since when the last of them cannot.
  [[nodiscard]] std::optional<base::SteadyTime> all_out_since(const Inputs& in) const;
  /// From the turn's start, for any that is still to answer. `may_resign`: see engine.on_failure.
  [[nodiscard]] base::Millis longest_wait(const Inputs& in, bool may_resign) const;
  /// When a move that is there has to leave, whatever may be tried where none is (engine.on_failure: resign).
  [[nodiscard]] base::SteadyTime answer_by(const Inputs& in) const;
  void stop_others(const Inputs& in);
  void wait_no_more(const Inputs& in);
  void tell_keeper(const Context& context, EngineTeam::Seat seat, usi::SearchId search, base::SteadyTime at);

  void resign(std::string why) { answer_ = Resign{std::move(why)}; }
  void declare(const Inputs& in);
  void hurry(const Inputs& in);
  /// How long the engine that plays may say nothing on our clock before it is doubted.
  [[nodiscard]] base::Millis patience(const Inputs& in) const;
  void watch_silence(const Inputs& in);
  void look_at_silence(const Inputs& in);
  void rescue(const Inputs& in, const std::string& why);
  void play_without_engine(const Inputs& in, RescueCause cause, const std::string& why);
  void play_fallback(const Inputs& in, const std::string& why, std::optional<RescueCause> cause);

  TurnClock clock_;
  std::optional<usi::SearchId> search_;  ///< nothing while there is no engine to search
  std::optional<Lookup> lookup_;
  bool is_hurried_ = false;
  bool is_overdue_ = false;  ///< the deadline has passed without a word
  bool is_doubted_ = false;  ///< two engines search
  bool is_of_engine_ = false;
  std::optional<base::SteadyTime> look_at_silence_at_;
  /// What the keepers were told last, by seat.
  std::map<EngineTeam::Seat, std::pair<usi::SearchId, base::SteadyTime>> told_;
  std::optional<Consultation> consultation_;    ///< when others were asked
  bool is_alone_ = false;                       ///< their answers count no more
  std::optional<base::SteadyTime> wait_until_;  ///< with an answer in hand, for the others
  bool is_wait_over_ = false;                   ///< they were told to stop
  std::optional<EngineTeam::Seat> chosen_seat_;
  int unusable_answers_ = 0;
  std::optional<bool> ponder_hit_;  ///< nothing when the engine did not ponder
  std::optional<Answer> answer_;
};

}  // namespace kakehashi::bridge
