// The examination of an engine: puts questions one by one, judges what comes back, tells what it found, and starts the
// engine anew when it is lost. Pure: the caller owns the process and the clock.
//
//   state     | entered by                      | left by
//   ----------+---------------------------------+---------------------------------------------
//   waiting   | start(), the next question      | the awaited answer; its deadline -> next question
//   (restart) | death, no answer                | handshake again; restarts_max of them -> finished
//   finished  | quit done; nothing to be had    | nothing
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "base/time.hpp"
#include "usi/clock_probe.hpp"
#include "usi/dialect.hpp"
#include "usi/message.hpp"
#include "usi/option.hpp"
#include "usi/process.hpp"

namespace kakehashi::usi {

// --- what can be found, how much it weighs, and which paragraph of the protocol it breaks; docs/engines.md lists the
// same codes

enum class Severity {
  note,   ///< worth knowing
  quirk,  ///< not as the text says; games do not suffer
  fault,  ///< can lose a game
};
[[nodiscard]] base::Message describe(Severity severity);

struct ExamRule {
  const char* code;
  Severity severity;
  /// The paragraph in USI draft 1 or Shogidokoro's definition. Empty where no text says it: then it is the bridge that needs it.
  const char* usi;
  /// The same in UCI (2000), TEI and UCGI, behind whose name it is shown; "~" is that name as it is said. One that begins with a
  /// name ("TEI, size") stands in that text alone.
  const char* family;

  [[nodiscard]] std::string paragraph(Protocol protocol) const;
};

[[nodiscard]] const std::vector<ExamRule>& exam_rules();
/// An unknown code is a programmer error.
[[nodiscard]] const ExamRule& exam_rule(std::string_view code);

struct Finding {
  std::string code;
  Severity severity = Severity::note;
  base::Message text;     ///< the first time it was seen
  std::string paragraph;  ///< empty where no text says it
  int times = 1;
};

// --- what was found

struct Measurement {
  base::Message what;  ///< "usiok", "byoyomi", "stop"
  base::Millis taken{0};
  base::Millis allowed{0};   ///< 0 where nothing bounds it
};

struct ExamReport {
  Protocol protocol = Protocol::usi;
  std::string name;
  std::string author;
  std::string version;
  std::size_t options = 0;
  base::Message cannot_start;  ///< why the program could not be run at all; else empty
  std::vector<Finding> findings;
  std::vector<Measurement> measurements;
  /// How it reads increments, where it was asked; by its name where that showed nothing.
  std::optional<EngineClocks> clocks;
  std::size_t stderr_lines = 0;

  void add(std::string_view code, base::Message text);
  [[nodiscard]] bool has(std::string_view code) const;
  [[nodiscard]] std::size_t count(Severity severity) const;
  [[nodiscard]] bool is_fit() const {
    return cannot_start.empty() && count(Severity::fault) == 0;
  }
};

/// A line for people: its heading, what was measured, where something was, and the rest.
using ExamLine = std::vector<base::Message>;
[[nodiscard]] std::vector<ExamLine> lines_for_people(const ExamReport& report);
/// One JSON object and a line end.
[[nodiscard]] std::string format_json(const ExamReport& report);

// --- the questions, in order: what is sent, what must come back, and by when

/// A position to search, and what may be answered.
struct ExamPosition {
  std::string line;                ///< "position …", in USI words
  std::vector<std::string> legal;  ///< in USI words; empty: whatever the engine says is taken
};

struct ExamSetup {
  Protocol protocol = Protocol::usi;
  /// As in a configuration; no value presses a button.
  WantedOptions options{};
  base::Millis ready_timeout{20'000};  ///< to readyok, since it last said anything
  base::Millis ready_max{1'800'000};   ///< the same in all
  /// Behind its clock's end, before an engine has lost on time: the bridge's time.margin before it has
  /// measured.
  base::Millis margin{1'000};
  /// On top of each limit, before an engine counts as silent: more than nothing where the machine may
  /// be too busy to run it. What is silent for good is waited for so much longer.
  base::Millis grace{0};
  std::vector<ExamPosition> positions{};        ///< at least one; used in turn
  /// A game as long as any: its line is as long, and no answer that is legal there is legal at any earlier point of it.
  /// Without a line it is not asked.
  ExamPosition long_game{};
};

struct ExamStep {
  enum class Await {
    handshake,  ///< usiok
    settings,   ///< readyok, behind the setoption lines, which are known only then
    readyok,
    answer,     ///< bestmove
    clock,      ///< the answers to a ClockProbe
    silence,    ///< no answer within the time, while nothing is searched
    pondering,  ///< no answer within the time, while the engine ponders
    thinking,   ///< an answer may come within the time, or not
    exit,
  };
  /// Steps of one section hang together: when one fails, the rest of its section is left out.
  base::Message section;
  std::vector<std::string> lines;  ///< sent first; in USI words
  Await await = Await::silence;
  /// Of silence: how long. Of an answer to a clock: what the clock grants. Else: the latest moment.
  base::Millis limit{0};
  base::Millis soft_limit{0};  ///< above it the answer is slow
  bool is_clocked = false;     ///< the limit is a clock's
  bool is_boot = false;        ///< without it there is no game
  bool is_long_game = false;   ///< an answer that is not legal is one to an older position
  std::vector<std::string> legal{};

  /// Else its limit is how long nothing is to be heard.
  [[nodiscard]] bool waits_for_answer() const {
    return await != Await::silence && await != Await::pondering && await != Await::thinking;
  }
};

/// The questions still to be put. They are put section by section.
class ExamAgenda {
 public:
  explicit ExamAgenda(std::vector<ExamStep> steps) : steps_(steps.begin(), steps.end()) {}

  /// Nothing: all were put.
  [[nodiscard]] std::optional<ExamStep> next();
  /// The present section has an answer before it was asked for: what still waits for it there is left out.
  void note_early_answer() { is_answered_ = true; }
  void leave_section();
  /// These first: the engine is started anew.
  void begin_anew(const std::vector<ExamStep>& boot);

  [[nodiscard]] bool is_empty() const { return steps_.empty(); }
  /// The sections of all that is still to be put: "ponder hit, quit".
  [[nodiscard]] base::Message sections() const;

 private:
  std::deque<ExamStep> steps_;
  base::Message section_;  ///< the present one
  bool is_answered_ = false;
};

/// The question that was put and waits for its answer.
struct ExamQuestion {
  ExamStep step{};
  base::SteadyTime began{};
  base::SteadyTime deadline{};
  std::optional<ClockProbe> probe{};  ///< where it asks for the clock

  [[nodiscard]] base::Message here(base::Message what) const {
    return base::say("{}: {}", step.section, std::move(what));
  }
  [[nodiscard]] base::Millis taken(base::SteadyTime now) const { return base::millis_between(began, now); }
  [[nodiscard]] bool is_stop() const { return !step.lines.empty() && step.lines.front() == "stop"; }
  [[nodiscard]] bool is_ready_awaited() const {
    return step.await == ExamStep::Await::settings || step.await == ExamStep::Await::readyok;
  }
};

// --- the examination

/// To be performed in this order.
struct ExamActions {
  bool kill_engine = false;   ///< nothing of it is to be told any more
  bool start_engine = false;
  std::vector<std::string> lines;  ///< for the engine
};

class Examination {
 public:
  explicit Examination(ExamSetup setup);

  [[nodiscard]] ExamActions start(base::SteadyTime now);

  // --- what happened
  [[nodiscard]] ExamActions on_failed_to_start(const base::Message& why);
  [[nodiscard]] ExamActions on_line(std::string_view line, base::SteadyTime now);
  void on_stderr(std::string_view line, base::SteadyTime now);
  void on_odd(Oddity oddity);
  [[nodiscard]] ExamActions on_exited(ProcessEnd end, base::SteadyTime now);
  /// Looks at the deadline.
  [[nodiscard]] ExamActions on_time(base::SteadyTime now);

  [[nodiscard]] bool is_finished() const { return is_finished_; }
  [[nodiscard]] base::SteadyTime deadline() const { return question_.deadline; }
  [[nodiscard]] const ExamReport& report() const { return report_; }

  static constexpr int restarts_max = 3;
  /// Behind a clock's end, before the engine counts as silent for good.
  static constexpr base::Millis patience{1'500};
  static constexpr base::Millis tolerance{30};  ///< of our own measuring
  static constexpr std::size_t stderr_lines_usual = 200;
  static constexpr std::size_t infos_usual = 5'000;  ///< of one search

 private:
  using Await = ExamStep::Await;
  /// What is known of the process that runs.
  struct Process {
    std::vector<Option> options{};
    bool has_sizes = false;
    bool is_searching = false;      ///< a go waits for its answer
    bool has_closed_output = false; ///< told only if the process lives on
  };

  void next_step(base::SteadyTime now, ExamActions& actions);
  void send(base::SteadyTime now, ExamActions& actions);
  void pursue(const ClockProbe::Deed& deed, base::SteadyTime now, ExamActions& actions);
  void learn_clocks(const EngineClocks& found);
  void send_line(const std::string& line, ExamActions& actions);
  void recover(base::SteadyTime now, ExamActions& actions);
  void finish(ExamActions& actions);
  void hear_sign_of_life(base::SteadyTime now);
  void add(std::string_view code, base::Message text);
  /// "byoyomi: …"
  [[nodiscard]] base::Message here(base::Message what) const { return question_.here(std::move(what)); }
  void measure(base::Message what, base::SteadyTime now, base::Millis allowed);

  void on_message(std::string_view line, EngineMessage& message, base::SteadyTime now,
                  ExamActions& actions);
  void on_handshake(base::SteadyTime now, ExamActions& actions);
  void on_option(Option option);
  void on_readyok(base::SteadyTime now, ExamActions& actions);
  void on_answer(std::string_view line, BestMove best, base::SteadyTime now, ExamActions& actions);
  void on_info(std::string_view line, const Info& info);
  void on_silence(base::SteadyTime now, ExamActions& actions);
  void judge_move(const BestMove& best);
  void judge_time(base::SteadyTime now);

  ExamSetup setup_;
  const Dialect* dialect_;
  ExamAgenda agenda_;
  ExamQuestion question_;
  Process process_;
  bool is_finished_ = false;
  int restarts_ = 0;
  std::size_t infos_ = 0;  ///< since the last go
  bool has_answered_ = false;
  bool has_shown_pv_ = false;
  std::string last_stderr_;
  ExamReport report_;
};

}  // namespace kakehashi::usi
