// The examination of an engine: puts the questions of exam_plan one by one, judges what comes back,
// and starts the engine anew when it is lost. Pure: the caller owns the process and the clock.
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
#include <vector>

#include "usi/exam_plan.hpp"
#include "usi/exam_report.hpp"
#include "usi/message.hpp"
#include "usi/oddity.hpp"

namespace kakehashi::usi {

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
  [[nodiscard]] ExamActions on_failed_to_start(const std::string& why);
  [[nodiscard]] ExamActions on_line(std::string_view line, base::SteadyTime now);
  [[nodiscard]] ExamActions on_stderr(std::string_view line, base::SteadyTime now);
  void on_odd(Oddity oddity);
  [[nodiscard]] ExamActions on_exited(const std::string& status, base::SteadyTime now);
  /// Looks at the deadline.
  [[nodiscard]] ExamActions on_time(base::SteadyTime now);

  [[nodiscard]] bool is_finished() const { return is_finished_; }
  [[nodiscard]] base::SteadyTime deadline() const { return deadline_; }
  [[nodiscard]] const ExamReport& report() const { return report_; }

  static constexpr int restarts_max = 3;
  /// Behind a clock's end, before the engine counts as silent for good.
  static constexpr base::Millis patience{1'500};
  static constexpr base::Millis tolerance{30};  ///< of our own measuring
  static constexpr std::size_t stderr_lines_usual = 200;
  static constexpr std::size_t infos_usual = 5'000;  ///< of one search

 private:
  using Await = ExamStep::Await;

  void next_step(base::SteadyTime now, ExamActions& actions);
  void send(base::SteadyTime now, ExamActions& actions);
  void pursue(const ClockProbe::Deed& deed, base::SteadyTime now, ExamActions& actions);
  void learn_clocks(const EngineClocks& found);
  void send_line(const std::string& line, ExamActions& actions);
  void recover(base::SteadyTime now, ExamActions& actions);
  void finish(ExamActions& actions);
  void hear_sign_of_life(base::SteadyTime now);
  void add(std::string_view code, std::string text);
  [[nodiscard]] std::string here() const;  ///< "byoyomi: "
  [[nodiscard]] base::Millis taken(base::SteadyTime now) const;
  void measure(std::string what, base::SteadyTime now, base::Millis allowed);

  void on_message(std::string_view line, EngineMessage& message, base::SteadyTime now,
                  ExamActions& actions);
  void on_handshake(base::SteadyTime now, ExamActions& actions);
  void on_option(Option option);
  void on_readyok(base::SteadyTime now, ExamActions& actions);
  void on_answer(std::string_view line, BestMove best, base::SteadyTime now, ExamActions& actions);
  void on_info(std::string_view line, const Info& info);
  void on_words(std::string_view line);
  void on_silence(base::SteadyTime now, ExamActions& actions);
  void judge_move(const BestMove& best);
  void judge_time(base::SteadyTime now);

  ExamSetup setup_;
  const Dialect* dialect_;
  std::deque<ExamStep> steps_;
  ExamStep step_;
  base::SteadyTime began_{};
  base::SteadyTime deadline_{};
  bool is_finished_ = false;
  bool is_searching_ = false;    ///< a go waits for its answer
  std::optional<ClockProbe> probe_;
  bool output_closed_ = false;   ///< told only if the process lives on
  bool answered_early_ = false;  ///< in this section
  int restarts_ = 0;
  std::size_t infos_ = 0;        ///< of this search
  bool has_shown_pv_ = false;
  bool has_sizes_ = false;
  std::vector<Option> options_;
  std::string last_stderr_;
  ExamReport report_;
};

}  // namespace kakehashi::usi
