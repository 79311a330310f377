// One seat of the team: EngineRun is one process of its engine, from the start to the exit, and EngineSupervisor starts
// it, and another when it dies, more slowly the more often that happens, until there is no use in it. What is known of a
// process stands in its run, and is gone with it; what is known of the engine over all its processes in EngineKnowledge.
// Neither knows games or servers; what an engine is told of a game is handed in.
//
//   life     | entered by                            | left by
//   ---------+---------------------------------------+------------------------------------------
//   empty    | construction, a failure, quit done    | start(), or the restart deadline -> a run
//   a run    | StartEngine                           | its failure -> empty, or another run at once;
//            |                                       | its exit behind quit -> empty, of renew() -> a run
//   given_up | attempts_max failures to get ready,   | nothing
//            | over missing_max if it was before     |
//
// and of a run, each of which an exit ends:
//
//   state      | entered by                          | left by
//   -----------+-------------------------------------+------------------------------------------
//   starting   | StartEngine                         | EngineStarted -> greeting; failure
//   greeting   | "usi"                               | usiok -> preparing; timeout: failure
//   preparing  | setoption…, "isready"               | readyok -> ready, or learning; silence, or
//              |                                     | time over: failure
//   learning   | the first readyok, with something   | the probe is done -> preparing; what is remembered
//              | to learn of its clock               | has come -> ready; exit, no answer: failure
//   ready      | readyok                             | exit, no answer to "stop": failure; a game
//              |                                     | with other rules -> preparing
//   proving    | "isready" to an idle engine         | readyok -> ready; silence, or time over: failure
//   quitting   | "quit"                              | exit: it has left
#pragma once


#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "base/time.hpp"
#include "bridge/engine/engine_clocks.hpp"
#include "bridge/engine/engine_options.hpp"
#include "bridge/engine/engine_searches.hpp"
#include "bridge/engine/keeper_link.hpp"
#include "bridge/engine_id.hpp"
#include "bridge/outbox.hpp"
#include "bridge/view.hpp"
#include "config/engine_config.hpp"
#include "usi/clock_probe.hpp"
#include "usi/session.hpp"

namespace kakehashi::bridge {

// What is told of its processes (bridge/event.hpp).
struct EngineStarted;
struct EngineFailedToStart;
struct EngineLine;
struct EngineStderr;
struct EngineExited;
struct EngineLink;
struct ClockRecalled;

struct EngineReady {};                       ///< an engine can search; after each (re)start
/// The engine is gone; another is on its way, or has taken its place already.
struct EngineLost {
  base::Message why;
  bool is_replaced = false;
  /// It has failed to get ready so often in a row that nobody should wait for it; it is tried again all the same.
  bool is_missing = false;
  /// What it had answered already to a ponder search that was not hit yet.
  std::optional<usi::SearchAnswered> parked{};
  /// Who replaces it searches the present position already, on our turn.
  std::optional<usi::SearchId> goes_on{};
  std::size_t seat = 0;  ///< where it sat
  bool is_deaf = false;  ///< it has not obeyed `stop` while it thought ahead, and nobody has said so yet
};
struct EngineGivenUp {
  base::Message why;
};                                           ///< no engine can be had any more
struct EngineLeft {};                        ///< quit() is done
/// The answer to a search that was told to stop by hurry(), whether it is still wanted or not.
struct StopObeyed {};
/// What a member says that does not play; searches are numbered by seat.
struct MemberInfo {
  std::size_t seat = 0;
  usi::SearchInfo said;
};
/// And the answer of one that was asked on our turn besides.
struct MemberAnswered {
  std::size_t seat = 0;
  usi::SearchAnswered said;
};
/// One that does not play is gone, with what it was asked.
struct MemberLost { std::size_t seat = 0; };
/// Compiled once, as an Action is.
struct EngineNews : std::variant<EngineReady, EngineLost, EngineGivenUp, EngineLeft, StopObeyed, MemberInfo, MemberAnswered,
                                 MemberLost, usi::SearchInfo, usi::SearchAnswered> {
  using variant::variant;
  EngineNews(const EngineNews& other);
  EngineNews(EngineNews&& other) noexcept;
  EngineNews& operator=(const EngineNews& other);
  EngineNews& operator=(EngineNews&& other) noexcept;
  ~EngineNews();
};

/// How often the engine of a seat has failed in a row, and what follows: how soon another process is started, when
/// nobody should wait for it any more, and when it is given up. A value; it knows no process.
class EngineFailures {
 public:
  /// A process is gone that was not asked to go.
  void on_failure(bool was_ready, base::SteadyTime now) {
    boots_ = was_ready ? 0 : boots_ + 1;
    if (boots_ == 1) {
      missing_since_ = now;
    }
    is_last_word_ = true;
    ++losses_;
  }
  void on_ready() {
    boots_ = 0;
    is_last_word_ = false;
    has_been_ready_ = true;
  }
  void on_answer() { losses_ = 0; }

  /// The last thing that happened.
  [[nodiscard]] bool is_last_word() const { return is_last_word_; }
  /// It has never come to readyok since it last did, or since the start, in so many attempts.
  [[nodiscard]] int boots() const { return boots_; }
  /// Not to be waited for: it fails to get ready again and again.
  [[nodiscard]] bool is_missing() const { return boots_ >= attempts_max; }
  /// Nor is it to be tried any more.
  [[nodiscard]] bool is_hopeless(base::SteadyTime now) const {
    return is_missing() && (!has_been_ready_ || now - missing_since_ >= missing_max);
  }
  /// An engine that stays missing is told of ever more rarely.
  [[nodiscard]] bool is_old_news() const { return boots_ > attempts_max && (boots_ & (boots_ - 1)) != 0; }

  /// The first restart is immediate: a game may be waiting. Later ones come slower, up to 8 s, and slower still where
  /// the engine goes on failing to get ready.
  [[nodiscard]] base::Millis pause() const {
    if (losses_ <= 1) {
      return base::Millis{0};
    }
    constexpr base::Millis in_a_game_max{8'000};
    return std::min(is_missing() ? pause_max : in_a_game_max,
                    base::Millis{1'000} * (1 << std::min(losses_ - 2, 6)));
  }

  /// "restarting in 2 s, attempt 3 of 5".
  [[nodiscard]] base::Message next_step() const;

  /// Failures to get ready in a row before an engine that was never ready is given up.
  static constexpr int attempts_max = 5;
  /// One that was ready before is tried again for so long: a file that is missing may come back.
  static constexpr base::Millis missing_max{3'600'000};
  /// Between attempts to start an engine that goes on failing.
  static constexpr base::Millis pause_max{60'000};

 private:
  int boots_ = 0;   ///< without reaching readyok
  int losses_ = 0;  ///< without an answered search
  bool is_last_word_ = false;
  bool has_been_ready_ = false;
  base::SteadyTime missing_since_{};  ///< the first failure to get ready
};

/// What is known of the engine of a seat over all its processes.
struct EngineKnowledge {
  config::Engine config;  ///< as it was at the start
  base::Message who;      ///< "engine", "standby engine"
  std::string name_in_team;  ///< "engine", "standby", or what the settings call it
  EngineOptions options;
  ClockKnowledge clocks;
  EngineFailures failures{};
  EngineHabits habits{};
  LineLimit lines{};
  KeeperLinkCuts cuts{};
  std::string name{};     ///< as it greeted last

  /// Other options, another reading of clocks or other pondering from the next prepare_game() on.
  void adopt(const config::Engine& settings, bool ponder);
};

enum class EngineState { empty, starting, greeting, preparing, learning, ready, proving, quitting, given_up };

/// One process of an engine: brought to `readyok`, asked for what is due between games, and watched. It tells its owner
/// when it failed, and does not think of a successor.
class EngineRun {
 public:
  struct Inputs {
    EngineKnowledge& known;
    base::Now now;
    Outbox& out;
  };
  /// What a call has brought.
  struct Outcome {
    std::vector<EngineNews> news{};
    std::optional<base::Message> failure{};  ///< why this process is of no use any more
    bool has_left = false;                 ///< it was told to quit, and is gone
  };

  EngineRun(EngineId id, const config::Engine& config, base::Now now);

  // --- past facts of this process
  Outcome on(const EngineStarted& event, const Inputs& in);
  Outcome on(const EngineFailedToStart& event, const Inputs& in);
  Outcome on(const EngineLine& event, const Inputs& in);
  Outcome on(const EngineStderr& event, const Inputs& in);
  Outcome on(const EngineExited& event, const Inputs& in);
  Outcome on(const EngineLink& event, const Inputs& in);
  Outcome on(const ClockRecalled& event, const Inputs& in);
  Outcome on_time(const Inputs& in);
  [[nodiscard]] std::optional<base::SteadyTime> deadline(const EngineKnowledge& known) const;

  [[nodiscard]] EngineState state() const;
  [[nodiscard]] bool is_ready() const { return std::holds_alternative<Ready>(stage_); }
  /// Ready, within reach, and no answer is owed any more.
  [[nodiscard]] bool is_idle() const { return is_ready() && searches_.owes_nothing() && !link_.out_since(); }
  /// It has come to readyok, and was not asked to get ready for something else since.
  [[nodiscard]] bool has_been_ready() const;
  [[nodiscard]] bool is_being_asked_of_its_clock() const;
  [[nodiscard]] bool is_quitting() const { return std::holds_alternative<Quitting>(stage_); }
  /// It quits, or will when it owes nothing.
  [[nodiscard]] bool is_leaving() const { return wishes_.quit; }
  /// It quits for a fresh process to take its place.
  [[nodiscard]] bool is_renewing() const;
  [[nodiscard]] const KeeperLink& link() const { return link_; }
  [[nodiscard]] const EngineSearches& searches() const { return searches_; }
  /// For what may be asked of a process that is ready.
  [[nodiscard]] EngineSearches& searches() { return searches_; }
  /// Variables of the bridge's environment that it did not get.
  [[nodiscard]] const std::string& withheld() const { return withheld_; }
  /// The last lines on its standard error, and those on its standard output that were no answer.
  [[nodiscard]] const std::vector<std::string>& last_words() const { return last_words_; }
  /// In which it runs; empty: it has none of its own.
  [[nodiscard]] const std::string& directory() const { return directory_; }

  // --- commands
  /// Of a process that is ready.
  [[nodiscard]] usi::SearchId search(usi::SearchRequest request, Outbox& out);
  /// Other options or rules are wanted: it is told as soon as it is idle, and is not idle until it has taken them in.
  void prepare_game(const Inputs& in);
  /// Asks whether it is alive, as soon as it owes nothing. The proof is "isready", which every protocol of the family
  /// answers; in USI it empties the hash table, so that it is never asked in the middle of a game.
  void prove(const Inputs& in);
  void prove_if_stale(const Inputs& in, base::Millis within);
  /// "quit", as soon as it owes nothing.
  void renew(const Inputs& in);
  Outcome quit(const Inputs& in);
  /// No other is to follow.
  void expect_no_successor();

  static constexpr std::size_t last_words_kept = 20;
  /// For an engine to end that has not greeted in time, and for what it had in its buffer.
  static constexpr base::Millis answer_at_quit_max{2'000};
  /// A sign of life counts for so long.
  static constexpr base::Millis proof_age_max{300'000};
  /// For the answer to `isready`, a person is told after this long, and then after twice as long each time.
  static constexpr base::Millis progress_first{60'000};
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

    /// When the patience is over.
    [[nodiscard]] base::SteadyTime limit(const EngineKnowledge& known) const;
    [[nodiscard]] base::SteadyTime next_look(const EngineKnowledge& known) const;
  };
  struct Starting { base::SteadyTime by; };
  struct Greeting {
    base::SteadyTime by;
    bool is_told_to_quit = false;  ///< it has not answered in time: whether its answer waits in a buffer is seen when it ends
  };
  struct Preparing { Asked asked; };
  struct Learning {
    std::optional<base::SteadyTime> by{};
    std::optional<usi::ClockProbe> probe{};  ///< nothing while what is remembered is on its way
  };
  struct Ready {};
  struct Proving { Asked asked; };
  struct Quitting {
    base::SteadyTime by;
    bool is_renewing = false;
  };
  using Stage = std::variant<Starting, Greeting, Preparing, Learning, Ready, Proving, Quitting>;

  /// What waits for it to be idle.
  struct Wishes {
    bool renewal = false;
    bool quit = false;
    bool rules = false;
    bool proof = false;
  };

  template <class Which>
  [[nodiscard]] bool is_in() const { return std::holds_alternative<Which>(stage_); }
  /// Nothing can be heard of it: its deadlines wait for the link.
  [[nodiscard]] bool is_excused() const;
  /// Nothing of what it was given time for could be heard meanwhile.
  void grant(base::Millis gone, base::Now now);
  void hear(const Inputs& in);
  void remember(const std::string& line);
  /// It has not greeted in time.
  [[nodiscard]] Outcome on_greeting_deadline(const Inputs& in);
  [[nodiscard]] Outcome sent_no_greeting(const Inputs& in) const;

  [[nodiscard]] Outcome perform(usi::Reaction reaction, const Inputs& in);
  void on_identified(const usi::Identified& identified, const Inputs& in);
  void on_ready_word(const Inputs& in);
  [[nodiscard]] Outcome be_ready(const Inputs& in);
  void settle(const Inputs& in);
  template <class Which>
  void ask_ready(base::Millis patience, const std::vector<usi::OptionSetting>& settings, const Inputs& in);
  /// The "isready" that it owes an answer to; nullptr when it owes none.
  [[nodiscard]] Asked* asked();
  [[nodiscard]] Outcome on_ready_deadline(const Inputs& in);

  // --- how it reads its clock
  [[nodiscard]] Outcome learn_or_be_ready(const Inputs& in);
  [[nodiscard]] Outcome on_learning_deadline(const Inputs& in);
  [[nodiscard]] Outcome perform(const usi::ClockProbe::Deed& deed, const Inputs& in);

  EngineId id_;
  Stage stage_;
  EngineSearches searches_;
  KeeperLink link_;
  Wishes wishes_;
  std::string withheld_;
  std::string directory_;
  std::vector<std::string> last_words_;
  bool is_trying_increments_ = false;  ///< was given binc, and has not said a word since
  base::SteadyTime alive_at_{};        ///< readyok or bestmove
};

class EngineSupervisor {
 public:
  using State = EngineState;
  using News = std::vector<EngineNews>;

  EngineSupervisor(const config::Engine& config, bool ponder, std::uint32_t seat = 0,
                   base::Message who = base::say("engine"), std::string name_in_team = "engine");

  /// Starts the first process.
  void start(base::Now now, Outbox& out) { launch(now, out); }

  /// A past fact of a process; that of an earlier one is ignored.
  template <class Event>
  News on(const Event& event, base::Now now, Outbox& out) {
    EngineRun* present = run();
    return present != nullptr && event.engine == id_ ? conclude(present->on(event, {known_, now, out}), now, out)
                                                     : News{};
  }
  /// Looks at the deadline.
  News on_time(base::Now now, Outbox& out);
  [[nodiscard]] std::optional<base::SteadyTime> deadline() const;

  [[nodiscard]] State state() const;
  [[nodiscard]] bool is_ready() const { return run() != nullptr && run()->is_ready(); }
  /// Ready, within reach, and no answer is owed any more.
  [[nodiscard]] bool is_idle() const { return run() != nullptr && run()->is_idle(); }
  /// It is there, or is started before.
  [[nodiscard]] bool may_be_ready_by(base::SteadyTime at) const;
  [[nodiscard]] EngineId id() const { return id_; }
  /// What is known of it over all its processes; others of the same program may teach it.
  [[nodiscard]] const EngineKnowledge& known() const { return known_; }
  [[nodiscard]] EngineKnowledge& known() { return known_; }
  /// Of the present process; nothing of none.
  [[nodiscard]] const KeeperLink& link() const;
  [[nodiscard]] ViewedEngineLink view_link(base::SteadyTime now) const;
  /// What its process is asked and owes; nullptr while none is ready.
  [[nodiscard]] const EngineSearches* searches() const { return is_ready() ? &run()->searches() : nullptr; }
  [[nodiscard]] std::optional<usi::SearchId> current_search() const;
  /// It can look at several lines at once.
  [[nodiscard]] bool has_lines() const;
  /// Its present search waits for an abandoned one to be answered.
  [[nodiscard]] bool is_search_queued() const { return is_ready() && run()->searches().is_queued(); }
  /// Since when nothing was heard of the search that is watched.
  [[nodiscard]] std::optional<base::SteadyTime> silent_since() const;

  // --- commands; each is dropped when no process is ready
  /// Tells this engine and its successors the rules of the coming game, by the options that it
  /// declares for them and the user has not set. It is not idle until it has taken them in.
  void prepare_game(const GameRules& rules, base::Now now, Outbox& out);
  /// It has declared a win that does not hold: it is kept from that until the next game, if it has an option for that.
  void forbid_declaration(Outbox& out);
  /// Asks the engine whether it is alive, as soon as it owes nothing: it is not idle before it has
  /// answered, and is replaced when it does not.
  void prove(base::Now now, Outbox& out);
  /// The same, when its last sign of life is older than EngineRun::proof_age_max. Not when its readyok has needed so
  /// long before that it may come behind `within`: the game would be lost to the proof.
  void prove_if_stale(base::Now now, Outbox& out, base::Millis within = base::Millis::max());
  void new_game(Outbox& out);
  /// new_game(), to an engine that has not heard of the game yet.
  void join_game(Outbox& out);
  /// Behind join_game(). Nothing when the engine is not ready.
  [[nodiscard]] std::optional<usi::SearchId> search(usi::SearchRequest request, Outbox& out);
  /// With `times` behind the word when not empty. May bring the parked answer at once.
  [[nodiscard]] News ponderhit(std::string_view times, Outbox& out);
  void hurry(base::Now now, Outbox& out, bool is_due = true);
  void abandon(base::Now now, Outbox& out);
  void game_over(usi::GameOver result, base::Now now, Outbox& out);
  /// Our clock runs for the present search from here on, so that silence counts until it is answered.
  void watch_silence(base::Now now);
  /// See EngineSearches.
  [[nodiscard]] bool note_deaf() { return is_ready() && run()->searches().note_deaf(); }

  /// Puts another process in place of one that misbehaves.
  News replace(const base::Message& why, base::Now now, Outbox& out);
  /// A fresh process in place of the present one, as soon as that owes nothing: "quit" first.
  void renew(base::Now now, Outbox& out);
  /// From here on an engine that is lost stays lost.
  void start_no_more();
  /// Ends the engine at once and puts none in its place.
  void kill(Outbox& out);
  /// "quit", and the process is gone within the quit timeout: EngineLeft follows. While an answer is
  /// owed it is waited for first, as long as after any other "stop".
  [[nodiscard]] News quit(base::Now now, Outbox& out);

 private:
  struct Empty { std::optional<base::SteadyTime> launch_at{}; };
  struct GivenUp {};

  [[nodiscard]] EngineRun* run() { return std::get_if<EngineRun>(&life_); }
  [[nodiscard]] const EngineRun* run() const { return std::get_if<EngineRun>(&life_); }
  /// The run, as long as it is ready.
  [[nodiscard]] EngineRun* ready_run() { return is_ready() ? run() : nullptr; }
  void launch(base::Now now, Outbox& out);
  News conclude(EngineRun::Outcome outcome, base::Now now, Outbox& out);
  News fail(const base::Message& why, base::Now now, Outbox& out);
  News empty();

  EngineId id_;  ///< of the present process, or of the last one
  EngineKnowledge known_;
  std::variant<Empty, EngineRun, GivenUp> life_;
  bool starts_no_more_ = false;
};

}  // namespace kakehashi::bridge
