// Our turn, from the line that gave it to us to its one answer: book, search, what becomes of its engine, deadline,
// declaration, resignation, rescue. Nothing is answered that the rules of shogi forbid, and something is before the
// flag falls. It knows the game and the engines, and no server: who owns it sends the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bridge/event.hpp"
#include "bridge/game/ahead.hpp"
#include "bridge/game/context.hpp"
#include "bridge/game/game.hpp"
#include "bridge/game/rescue.hpp"
#include "bridge/game/think_time.hpp"
#include "bridge/game/thinking.hpp"

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
  void on_book_answered(const Inputs& in, const BookAnswered& answer);
  /// An engine is ready, this one or another.
  void on_ready(const Inputs& in);
  void on_lost(const Inputs& in, const EngineLost& lost);
  /// No engine can be had any more.
  void on_given_up(const Inputs& in, const std::string& why);
  /// An answer that the rescue of the turn before has overtaken may come in this one: its end is set anew.
  void on_stop_obeyed(const Inputs& in);
  /// The engine that plays says a line while our search waits behind an abandoned one: the search gets what is left when its
  /// turn comes, not what was left when it began to wait.
  void renew_queued_search(const Inputs& in);
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

 private:
  /// A question to the opening book. After `give_up` the engine is asked as if there were no book.
  struct Lookup {
    std::uint64_t number = 0;
    base::SteadyTime give_up;
  };
  /// In the order in which they are looked at.
  enum class Deadline { book, hurry, rescue, silence };

  [[nodiscard]] std::optional<base::SteadyTime> deadline(Deadline which) const;
  [[nodiscard]] bool has_passed(Deadline which, const Context& context) const;
  [[nodiscard]] ThinkTime limits(const Inputs& in, base::Millis spent) const;
  [[nodiscard]] bool ends_without_a_search(const Inputs& in);
  [[nodiscard]] bool ask_book(const Inputs& in);
  void doubt_book(const Inputs& in);
  void think(const Inputs& in);
  void begin_search(const Inputs& in);
  void request_search(const Inputs& in);
  /// An engine could still be ready before another move must be played.
  [[nodiscard]] bool may_be_back(const Inputs& in) const;
  void choose(const Inputs& in, const usi::SearchAnswered& answer);
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
  /// What the keeper was told last.
  std::optional<std::pair<usi::SearchId, base::SteadyTime>> told_;
  int unusable_answers_ = 0;
  std::optional<bool> ponder_hit_;  ///< nothing when the engine did not ponder
  std::optional<Answer> answer_;
};

}  // namespace kakehashi::bridge
