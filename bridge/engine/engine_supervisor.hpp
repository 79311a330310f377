// The supervisor of one engine: starts the process, brings it to `readyok`, watches that it answers, and puts another
// in its place when it dies. It knows nothing of games or servers; what an engine is told of a game is handed in.
//
//   state      | entered by                          | left by
//   -----------+-------------------------------------+------------------------------------------
//   empty      | construction, a failure, quit done  | start(), or the restart deadline -> starting
//   starting   | StartEngine                         | EngineStarted -> greeting; failure -> empty
//   greeting   | "usi"                               | usiok -> preparing; timeout -> empty
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
//
// What is known of one process stands in Process, and is gone with it.
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
#include "bridge/engine/engine_delays.hpp"
#include "bridge/engine/game_rules.hpp"
#include "bridge/engine_clock.hpp"
#include "bridge/event.hpp"
#include "bridge/outbox.hpp"
#include "config/bot_config.hpp"
#include "usi/clock_probe.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

struct EngineReady {};                       ///< an engine can search; after each (re)start
/// The engine is gone; another is on its way, or has taken its place already.
struct EngineLost {
  std::string why;
  bool is_replaced = false;
  /// It has failed to get ready so often in a row that nobody should wait for it; it is tried again all the same.
  bool is_missing = false;
  /// What it had answered already to a ponder search that was not hit yet.
  std::optional<usi::SearchAnswered> parked{};
  /// Who replaces it searches the present position already, on our turn.
  std::optional<usi::SearchId> goes_on{};
};
struct EngineGivenUp { std::string why; };   ///< no engine can be had any more
struct EngineLeft {};                        ///< quit() is done
/// The answer to a search that was told to stop by hurry(), whether it is still wanted or not.
struct StopObeyed { base::Millis delay{0}; };
using EngineNews = std::variant<EngineReady, EngineLost, EngineGivenUp, EngineLeft, StopObeyed,
                                usi::SearchInfo, usi::SearchAnswered>;

class EngineSupervisor {
 public:
  enum class State { empty, starting, greeting, preparing, learning, ready, proving, quitting, given_up };
  using News = std::vector<EngineNews>;

  EngineSupervisor(const config::Engine& config, bool ponder, std::uint32_t seat = 0);

  /// To be called before start(): where engine.clock is auto, the engine is not ready before it is known how
  /// it reads increments, from what is remembered of it or, if it may be asked, by asking it, once.
  void learn_clock(bool may_ask);
  /// Starts the first engine.
  void start(base::Now now, Outbox& out) { launch(now, out); }

  // --- past facts of the engine with that id; those of earlier engines are ignored
  News on_started(const EngineStarted& event, base::Now now, Outbox& out);
  News on_failed(const EngineFailedToStart& event, base::Now now, Outbox& out);
  News on_line(const EngineLine& event, base::Now now, Outbox& out);
  News on_stderr(const EngineStderr& event, base::Now now);
  News on_clock_recalled(const ClockRecalled& event, base::Now now, Outbox& out);
  News on_exited(const EngineExited& event, base::Now now, Outbox& out);
  News on_link(const EngineLink& event, base::Now now, Outbox& out);
  /// Looks at the deadline.
  News on_time(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  [[nodiscard]] State state() const;
  [[nodiscard]] bool is_ready() const { return state() == State::ready; }
  /// Lost, and not ready again since.
  [[nodiscard]] bool has_failed() const { return failures_.is_last_word; }
  /// Not to be waited for: given up, or failing to get ready again and again.
  [[nodiscard]] bool is_missing() const { return failures_.boots >= attempts_max; }
  /// It is there, or is started before.
  [[nodiscard]] bool may_be_ready_by(base::SteadyTime at) const;
  /// This process was given a search.
  [[nodiscard]] bool has_searched() const { return process() != nullptr && process()->has_searched; }
  /// Ready, within reach, and no answer is owed any more.
  [[nodiscard]] bool is_idle() const { return is_quiet() && !out_since(); }
  /// A keeper holds it, here or on another machine: links to it come and go, and it goes on.
  [[nodiscard]] bool is_kept() const { return config_.is_kept(); }
  /// Since when no link leads to it; meanwhile nothing is expected of it.
  [[nodiscard]] std::optional<base::SteadyTime> out_since() const { return link_.out_since; }
  /// What the way to it and back takes, and by how much that varies; 0 without a keeper.
  [[nodiscard]] std::chrono::microseconds link_round_trip() const { return link_.round_trip; }
  [[nodiscard]] std::chrono::microseconds link_deviation() const { return link_.deviation; }
  [[nodiscard]] EngineId id() const { return id_; }
  [[nodiscard]] const std::string& engine_name() const { return name_; }
  /// Stochastic_Ponder is on: the engine takes back the predicted move by itself while it ponders,
  /// and begins the `go` that it was given anew on a hit (YaneuraOu and its kin).
  [[nodiscard]] bool rewinds_when_pondering() const;
  /// How its clock is to be spelled in a game with increments; never `automatic`.
  [[nodiscard]] config::EngineClock clock() const;
  /// What was found out about its clock; and what is only believed, by its name.
  [[nodiscard]] const usi::EngineClocks& clocks_found() const { return clock_.found; }
  [[nodiscard]] usi::EngineClocks clocks() const;
  [[nodiscard]] bool is_clock_in_doubt() const { return clock_.is_in_doubt; }
  /// The other side's clock is to be told as ours: it would be taken for ours, or that is not known.
  [[nodiscard]] bool gets_own_clock_twice() const;
  /// `other` is of the same program.
  void adopt_clocks(const EngineSupervisor& other);
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
  [[nodiscard]] News ponderhit(std::string_view times, Outbox& out);
  void hurry(base::Now now, Outbox& out);
  void abandon(base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  [[nodiscard]] std::optional<usi::SearchId> current_search() const;
  /// Our clock runs for the present search from here on, so that silence counts until it is answered.
  void watch_silence(base::Now now);
  /// Since when nothing was heard of the search that is watched.
  [[nodiscard]] std::optional<base::SteadyTime> silent_since() const;
  /// The longest time that it was silent in such searches, and then said something.
  [[nodiscard]] base::Millis longest_silence() const { return habits_.longest_silence; }
  /// The present search waits for an abandoned one to be answered.
  [[nodiscard]] bool is_search_queued() const { return is_ready() && process()->session.is_queued(); }

  /// Puts another engine in place of one that misbehaves.
  News replace(const std::string& why, base::Now now, Outbox& out);
  /// A fresh process in place of the present one, as soon as that owes nothing: "quit" first.
  void renew(base::Now now, Outbox& out);
  /// From here on an engine that is lost stays lost.
  void start_no_more();
  /// Ends the engine at once and puts none in its place.
  void kill(Outbox& out);
  /// "quit", and the process is gone within the quit timeout: EngineLeft follows. While an answer is
  /// owed it is waited for first, as long as after any other "stop".
  [[nodiscard]] News quit(base::Now now, Outbox& out);

  /// Failures to get ready in a row before an engine that was never ready is given up.
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
  /// Without any link to its keeper: that has let it go before.
  static constexpr base::Millis link_out_max{660'000};
  /// For the proof, besides three times the slowest readyok so far; engine.ready_timeout at most.
  static constexpr base::Millis proof_timeout_min{10'000};
  /// For what is remembered of the engine's clock; then it is asked.
  static constexpr base::Millis recall_timeout{2'000};

 private:
  /// An "isready" that is not answered yet.
  struct Asked {
    base::SteadyTime at;
    base::Millis patience{0};        ///< with its silence, since then
    base::Millis progress_after{0};  ///< when a person is told next, since then
  };
  struct Starting { base::SteadyTime by; };
  struct Greeting { base::SteadyTime by; };
  struct Preparing { Asked asked; };
  struct Learning {
    std::optional<base::SteadyTime> by{};
    std::optional<usi::ClockProbe> probe{};  ///< nothing while what is remembered is on its way
  };
  struct Ready { std::optional<base::SteadyTime> answer_by{}; };  ///< to a "stop"
  struct Proving { Asked asked; };
  struct Quitting {
    base::SteadyTime by;
    bool is_renewing = false;
  };
  using Stage = std::variant<Starting, Greeting, Preparing, Learning, Ready, Proving, Quitting>;

  /// What this process was told of engine.options, of pondering, and of the game's rules by option.
  struct Told {
    std::vector<std::pair<std::string, std::optional<std::string>>> options{};
    bool ponder = false;
    std::map<std::string, std::string> rules{};
  };
  /// What waits for it to be idle.
  struct Wishes {
    bool renewal = false;
    bool quit = false;
    bool rules = false;
    bool proof = false;
  };
  struct Process {
    usi::Session session;
    Stage stage;
    std::string withheld{};  ///< of the bridge's environment, by name
    std::vector<std::string> stderr_lines{};
    Told told{};
    Wishes wishes{};
    bool is_in_game = false;  ///< it heard of the game: usinewgame, or a search
    bool has_searched = false;
    bool is_recalling = false;          ///< what is remembered of its clock is on its way
    bool is_trying_increments = false;  ///< was given binc, and has not said a word since
    base::SteadyTime alive_at{};        ///< readyok or bestmove
    std::optional<base::SteadyTime> hurried_at{};     ///< the search that owes its answer, by hurry()
    std::optional<base::SteadyTime> waiting_since{};  ///< for the answer to the present search, on our clock
  };
  struct Empty { std::optional<base::SteadyTime> launch_at{}; };
  struct GivenUp {};
  /// In a row, and what followed from them.
  struct Failures {
    int boots = 0;   ///< without reaching readyok
    int losses = 0;  ///< without an answered search
    bool is_last_word = false;  ///< the last thing that happened
    base::SteadyTime missing_since{};  ///< the first failure to get ready
  };
  /// As measured, over all processes.
  struct Habits {
    base::SteadyTime heard{};  ///< the end of the slice of time in which it last said anything
    base::Millis longest_silence{0};
    base::Millis slowest_ready{0};
  };
  /// How it reads its clock in a game with increments: remembered, asked before the first game, guessed by its
  /// name, or learned from its death.
  struct Clock {
    usi::EngineClocks found{};
    bool is_in_doubt = false;  ///< it failed while it was asked: nothing counts but what can do no harm
    bool learns = false;       ///< it has not been asked yet what is remembered
    bool may_ask = false;
    std::string facts{};       ///< what the answer depends on
  };

  /// To an engine that a keeper holds.
  struct Link {
    std::optional<base::SteadyTime> out_since{};
    std::vector<std::string> lost{};  ///< ways that were up before
    std::chrono::microseconds round_trip{0};
    std::chrono::microseconds deviation{0};
  };

  [[nodiscard]] bool is_quiet() const { return is_ready() && process()->session.owed() == 0; }
  /// Nothing can be heard of it: its deadlines wait for the link.
  [[nodiscard]] bool is_excused() const;
  /// Nothing of what it was given time for could be heard meanwhile.
  void grant(base::Millis gone);
  void note_link(const EngineLink& event, base::Now now, Outbox& out);
  [[nodiscard]] Process* process() { return std::get_if<Process>(&life_); }
  [[nodiscard]] const Process* process() const { return std::get_if<Process>(&life_); }
  /// The process that an event is of; nullptr when it is another's.
  [[nodiscard]] Process* process_of(EngineId engine) { return engine == id_ ? process() : nullptr; }
  template <class Which>
  [[nodiscard]] bool is_in() const {
    return process() != nullptr && std::holds_alternative<Which>(process()->stage);
  }
  [[nodiscard]] std::string who() const;  ///< "engine", "standby engine": for people
  void write(std::vector<std::string> lines, Outbox& out) const;

  // --- its life
  void launch(base::Now now, Outbox& out);
  News fail(const std::string& why, base::Now now, Outbox& out);
  void note_failure(const std::string& why, bool was_ready, base::Millis pause, Outbox& out) const;
  [[nodiscard]] base::Millis pause_before_restart() const;
  static void show_stderr(const Process& process, const std::string& who, Outbox& out);
  News empty();
  News finish_quitting(base::Now now, Outbox& out);

  // --- what it says, and what it owes
  News perform(usi::Reaction reaction, base::Now now, Outbox& out);
  void on_identified(Process& process, const usi::Identified& identified, base::Now now, Outbox& out);
  void on_ready_word(Process& process, base::Now now);
  static void on_stop_answered(Process& process, base::Now now, News& news);
  void watch_stop(base::Now now);
  void hear(base::Now now);
  News be_ready(base::Now now, Outbox& out);

  // --- between games: what an idle engine is asked for. The proof is "isready", which every protocol of the family
  // answers; in USI it empties the hash table, so that it is never asked in the middle of a game.
  void settle(base::Now now, Outbox& out);
  template <class Which>
  void ask_ready(base::Millis patience, const std::vector<usi::OptionSetting>& settings, base::Now now, Outbox& out);
  void prepare(const std::vector<usi::OptionSetting>& settings, base::Now now, Outbox& out);
  /// The "isready" that it owes an answer to; nullptr when it owes none.
  [[nodiscard]] Asked* asked();
  /// When the patience with an engine that was asked `isready` is over.
  [[nodiscard]] base::SteadyTime ready_limit(const Asked& asked) const;
  News on_ready_deadline(base::Now now, Outbox& out);
  [[nodiscard]] base::Millis proof_timeout() const;

  // --- engine_settings.cpp: what it is told before it may search
  [[nodiscard]] std::vector<usi::OptionSetting> settings(Outbox& out) const;
  [[nodiscard]] std::vector<usi::OptionSetting> changed_settings(Process& process, Outbox& out) const;
  [[nodiscard]] std::vector<usi::OptionSetting> changed_rules(Process& process, Outbox& out) const;
  void tell_rules(base::Now now, Outbox& out);
  /// The value in engine.options, the last one given; nullptr when the user leaves it alone.
  [[nodiscard]] const std::string* set_by_user(std::string_view option) const;

  // --- engine_clocks.cpp: how it reads its clock
  [[nodiscard]] bool must_learn_clock() const;
  void recall_clock(Process& process, const std::vector<usi::OptionSetting>& settings, Outbox& out);
  News learn_or_be_ready(base::Now now, Outbox& out);
  News on_learning_deadline(base::Now now, Outbox& out);
  News perform(const usi::ClockProbe::Deed& deed, base::Now now, Outbox& out);
  void note_clock(Outbox& out) const;
  void note_death(Outbox& out);
  void doubt_clock(Outbox& out);

  config::Engine config_;
  bool ponder_;
  EngineId id_;  ///< of the present process, or of the last one
  std::variant<Empty, Process, GivenUp> life_;
  std::string name_;
  std::vector<usi::Option> declared_;  ///< by the engine that greeted last
  std::optional<GameRules> rules_;  ///< of the present game, or of the last one
  Clock clock_;
  Failures failures_;
  bool has_been_ready_ = false;  ///< this engine or one before it
  bool starts_no_more_ = false;
  Habits habits_;
  Link link_;
};

}  // namespace kakehashi::bridge
