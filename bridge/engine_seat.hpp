// The place where the engine sits: starts the process, brings it to `readyok`, watches that it
// answers, and puts another in its place when it dies. It knows nothing of games or servers.
//
//   state      | entered by                          | left by
//   -----------+-------------------------------------+------------------------------------------
//   empty      | construction, a failure, quit done  | start(), or the restart deadline -> starting
//   starting   | StartEngine                         | EngineStarted -> handshake; failure -> empty
//   handshake  | "usi"                               | usiok -> preparing; timeout -> empty
//   preparing  | setoption…, "isready"               | readyok -> ready, or learning; silence, or
//              |                                     | time over -> empty
//   learning   | the first readyok, with learn_clock | the probe is done -> preparing; what is remembered
//              |                                     | has come -> ready; exit, no answer -> empty
//   ready      | readyok                             | exit, no answer to "stop" -> empty; a game
//              |                                     | with other rules -> preparing
//   proving    | "isready" to an idle engine         | readyok -> ready; silence, or time over -> empty
//   quitting   | "quit"                              | exit -> empty; of renew() -> starting
//   given_up   | attempts_max failures to get ready, | nothing
//              | over missing_max if it was before   |
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine_clock.hpp"
#include "bridge/engine_delays.hpp"
#include "bridge/event.hpp"
#include "bridge/game_rules.hpp"
#include "bridge/outbox.hpp"
#include "config/bot_config.hpp"
#include "usi/clock_probe.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

struct SeatReady {};                         ///< an engine can search; after each (re)start
/// The engine is gone; another is on its way, or has taken its place already.
struct SeatLost {
  std::string why;
  bool is_replaced = false;
  /// It has failed to get ready so often in a row that nobody should wait for it; it is tried again all the same.
  bool is_missing = false;
  /// What it had answered already to a ponder search that was not hit yet.
  std::optional<usi::SearchAnswered> parked{};
  /// Who replaces it searches the present position already, on our turn.
  std::optional<usi::SearchId> goes_on{};
};
struct SeatGaveUp { std::string why; };      ///< no engine can be had any more
struct SeatEmptied {};                       ///< quit() is done
/// The answer to a search that was told to stop by hurry(), whether it is still wanted or not.
struct StopObeyed { base::Millis delay{0}; };
using SeatNews = std::variant<SeatReady, SeatLost, SeatGaveUp, SeatEmptied, StopObeyed,
                              usi::SearchInfo, usi::SearchAnswered>;

class EngineSeat {
 public:
  enum class State { empty, starting, handshake, preparing, learning, ready, proving, quitting, given_up };

  /// Its engines are numbered from behind `before`.
  EngineSeat(const config::Engine& config, bool ponder, std::uint32_t before = 0);

  /// To be called before start(): where engine.clock is auto, the engine is not ready before it is known how
  /// it reads increments, from what is remembered of it or, if it may be asked, by asking it, once.
  void learn_clock(bool may_ask) {
    learns_clock_ = true;
    may_ask_clock_ = may_ask;
  }
  /// Starts the first engine.
  void start(base::Now now, Outbox& out);

  // --- past facts of the engine with that id; those of earlier engines are ignored
  std::vector<SeatNews> on_started(const EngineStarted& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_failed(const EngineFailedToStart& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_line(const EngineLine& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_stderr(const EngineStderr& event, base::Now now);
  std::vector<SeatNews> on_clock_recalled(const ClockRecalled& event, base::Now now, Outbox& out);
  std::vector<SeatNews> on_exited(const EngineExited& event, base::Now now, Outbox& out);
  /// Looks at the deadlines.
  std::vector<SeatNews> on_time(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const { return deadline_; }

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool is_ready() const { return state_ == State::ready; }
  /// Lost, and not ready again since.
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  /// Not to be waited for: given up, or failing to get ready again and again.
  [[nodiscard]] bool is_missing() const { return boot_failures_ >= attempts_max; }
  /// This process was given a search.
  [[nodiscard]] bool has_searched() const { return has_searched_; }
  /// Ready, and no answer is owed any more.
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] const std::string& engine_name() const { return name_; }
  /// Stochastic_Ponder is on: the engine takes back the predicted move by itself while it ponders,
  /// and begins the `go` that it was given anew on a hit (YaneuraOu and its kin).
  [[nodiscard]] bool rewinds_when_pondering() const;
  /// How its clock is to be spelled in a game with increments; never `automatic`.
  [[nodiscard]] config::EngineClock clock() const;
  /// What was found out about its clock; and what is only believed, by its name.
  [[nodiscard]] const usi::EngineClocks& clocks_found() const { return clocks_found_; }
  [[nodiscard]] usi::EngineClocks clocks() const;
  [[nodiscard]] bool is_clock_in_doubt() const { return is_clock_in_doubt_; }
  /// The other side's clock is to be told as ours: it would be taken for ours, or that is not known.
  [[nodiscard]] bool gets_own_clock_twice() const;
  /// `other` is of the same program.
  void adopt_clocks(const EngineSeat& other) {
    clocks_found_ = other.clocks_found_;
    is_clock_in_doubt_ = is_clock_in_doubt_ || other.is_clock_in_doubt_;
  }
  /// Time that this engine keeps back by itself.
  [[nodiscard]] std::vector<EngineDelay> delays() const;

  // --- commands; each is dropped when the engine is not ready
  /// Other options, another reading of clocks or other pondering from the next prepare_game() on,
  /// for this engine and its successors.
  void adopt(const config::Engine& config, bool ponder);
  /// Tells this engine and its successors the rules of the coming game, by the options that it
  /// declares for them and the user has not set. It is not idle until it has taken them in.
  void prepare_game(const GameRules& rules, base::Now now, Outbox& out);
  /// Asks the engine whether it is alive, as soon as it owes nothing: it is not idle before it has
  /// answered, and is replaced when it does not.
  void prove(base::Now now, Outbox& out);
  /// The same, when its last sign of life is older than proof_age_max. Not when its readyok has needed so
  /// long before that it may come behind `within`: the game would be lost to the proof.
  void prove_if_stale(base::Now now, Outbox& out, base::Millis within = base::Millis::max());
  void new_game(Outbox& out);
  /// new_game(), to an engine that has not heard of the game yet.
  void join_game(Outbox& out);
  /// Nothing when the engine is not ready.
  [[nodiscard]] std::optional<usi::SearchId> search(usi::SearchRequest request, Outbox& out);
  /// With `times` behind the word when not empty. May bring the parked answer at once.
  [[nodiscard]] std::vector<SeatNews> ponderhit(std::string_view times, Outbox& out);
  void hurry(base::Now now, Outbox& out);
  void abandon(base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  [[nodiscard]] std::optional<usi::SearchId> current_search() const;
  /// Our clock runs for the present search from here on, so that silence counts until it is answered.
  void watch_silence(base::Now now) { waiting_since_ = now.steady; }
  /// Since when nothing was heard of the search that is watched.
  [[nodiscard]] std::optional<base::SteadyTime> silent_since() const;
  /// The longest time that it was silent in such searches, and then said something.
  [[nodiscard]] base::Millis longest_silence() const { return longest_silence_; }
  /// The present search waits for an abandoned one to be answered.
  [[nodiscard]] bool is_search_queued() const { return is_ready() && session_.is_queued(); }

  /// Puts another engine in place of one that misbehaves.
  std::vector<SeatNews> replace(const std::string& why, base::Now now, Outbox& out);
  /// A fresh process in place of the present one, as soon as that owes nothing: "quit" first.
  void renew(base::Now now, Outbox& out);
  /// From here on an engine that is lost stays lost.
  void start_no_more();
  /// Ends the engine at once and puts none in its place.
  void kill(Outbox& out);
  /// "quit", and the process is gone within the quit timeout: SeatEmptied follows. While an answer is
  /// owed it is waited for first, as long as after any other "stop".
  [[nodiscard]] std::vector<SeatNews> quit(base::Now now, Outbox& out);

  /// Failures to get ready in a row before the seat gives up an engine that was never ready.
  static constexpr int attempts_max = 5;
  /// From "stop" to the engine's bestmove.
  static constexpr base::Millis stop_timeout{5'000};
  static constexpr std::size_t stderr_lines_kept = 20;
  /// A sign of life counts for so long.
  static constexpr base::Millis proof_age_max{300'000};
  /// For the answer to `isready`, a person is told after this long, and then after twice as long each time.
  static constexpr base::Millis progress_first{60'000};
  /// One that was ready before is tried again for so long: a file that is missing may come back.
  static constexpr base::Millis missing_max{3'600'000};
  /// Between attempts to start an engine that goes on failing.
  static constexpr base::Millis pause_max{60'000};
  /// For the proof, besides three times the slowest readyok so far; engine.ready_timeout at most.
  static constexpr base::Millis proof_timeout_min{10'000};
  /// For what is remembered of the engine's clock; then it is asked.
  static constexpr base::Millis recall_timeout{2'000};

 private:
  void launch(base::Now now, Outbox& out);
  std::vector<SeatNews> empty();
  std::vector<SeatNews> finish_quitting(base::Now now, Outbox& out);
  /// What waits for the engine to be idle: a renewal, the rules of a game, a proof.
  void settle(base::Now now, Outbox& out);
  void begin_renewal(base::Now now, Outbox& out);
  void tell_rules(base::Now now, Outbox& out);
  void ask_ready(State state, base::Millis limit, const std::vector<usi::OptionSetting>& settings,
                 base::Now now, Outbox& out);
  [[nodiscard]] base::Millis proof_timeout() const;
  void hear(base::Now now);
  /// When the patience with an engine that was asked `isready` is over.
  [[nodiscard]] base::SteadyTime ready_limit() const;
  void watch_ready();
  std::vector<SeatNews> on_ready_deadline(base::Now now, Outbox& out);
  [[nodiscard]] base::Millis pause_before_restart() const;
  std::vector<SeatNews> fail(const std::string& why, base::Now now, Outbox& out);
  std::vector<SeatNews> perform(usi::Reaction reaction, base::Now now, Outbox& out);
  std::vector<SeatNews> be_ready(base::Now now, Outbox& out);
  [[nodiscard]] bool must_learn_clock() const;
  void recall_clock(const std::vector<usi::OptionSetting>& settings, Outbox& out);
  std::vector<SeatNews> learn_or_be_ready(base::Now now, Outbox& out);
  std::vector<SeatNews> perform(const usi::ClockProbe::Deed& deed, base::Now now, Outbox& out);
  void note_clock(Outbox& out) const;
  void doubt_clock(Outbox& out);
  void note_death(Outbox& out);
  void write(std::vector<std::string> lines, Outbox& out);
  void watch_stop(base::Now now);
  void forget_stop();
  void note_obedience(base::Now now, std::vector<SeatNews>& news);
  [[nodiscard]] std::vector<usi::OptionSetting> settings(Outbox& out) const;
  [[nodiscard]] std::vector<usi::OptionSetting> changed_settings(Outbox& out);
  /// The value in engine.options, the last one given; nullptr when the user leaves it alone.
  [[nodiscard]] const std::string* set_by_user(std::string_view option) const;
  std::vector<usi::OptionSetting> changed_rules(Outbox& out);
  [[nodiscard]] bool is_present(EngineId engine) const;
  void show_stderr(Outbox& out);

  config::Engine config_;
  bool ponder_;
  State state_ = State::empty;
  std::uint32_t launches_;  ///< the number of the present process
  const char* who_;         ///< "engine", "standby engine": for people
  usi::Session session_;
  std::string name_;
  usi::EngineClocks clocks_found_;
  bool learns_clock_ = false;     ///< it has not been asked yet what is remembered
  bool may_ask_clock_ = false;
  bool is_clock_in_doubt_ = false;  ///< it failed while it was asked: nothing counts but what can do no harm
  bool is_recalling_ = false;     ///< what is remembered of its clock is on its way
  std::string clock_facts_;       ///< what that depends on
  std::optional<usi::ClockProbe> probe_;
  bool is_trying_increments_ = false;  ///< was given binc, and has not said a word since
  /// What this process was told of engine.options and of pondering.
  std::vector<std::pair<std::string, std::optional<std::string>>> options_in_place_;
  bool ponder_in_place_ = false;
  std::optional<GameRules> rules_;  ///< of the present game, or of the last one
  std::map<std::string, std::string> rules_in_place_;  ///< by option, as this engine was told
  std::optional<base::SteadyTime> deadline_;
  std::optional<base::SteadyTime> hurried_at_;  ///< the search that owes its answer, by hurry()
  base::SteadyTime asked_ready_at_{};
  base::Millis ready_patience_{0};    ///< with its silence, since then
  base::Millis progress_after_{0};    ///< when a person is told next, since then
  base::SteadyTime heard_{};          ///< the end of the slice of time in which it last said anything
  std::optional<base::SteadyTime> waiting_since_;  ///< for the answer to the present search, on our clock
  base::Millis longest_silence_{0};
  std::string withheld_;              ///< of the bridge's environment, by name
  base::SteadyTime missing_since_{};  ///< the first failure to get ready in a row
  bool has_been_ready_ = false;       ///< this engine or one before it
  base::SteadyTime alive_at_{};  ///< readyok or bestmove
  base::Millis slowest_ready_{0};
  bool rules_are_due_ = false;
  bool proof_is_due_ = false;
  int boot_failures_ = 0;   ///< in a row without reaching readyok
  int losses_ = 0;          ///< in a row without an answered search
  bool has_failed_ = false;
  bool has_searched_ = false;
  /// renew(): asked for while an answer is owed, or "quit" is on its way.
  bool renews_when_idle_ = false;
  bool is_renewing_ = false;
  bool quits_when_idle_ = false;  ///< quit(): asked for while an answer is owed
  bool starts_no_more_ = false;
  bool is_in_game_ = false;  ///< this engine heard of the game: usinewgame, or a search
  std::vector<std::string> stderr_;
};

}  // namespace kakehashi::bridge
