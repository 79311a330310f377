#include "usi/exam_plan.hpp"

#include "base/check.hpp"

namespace kakehashi::usi {

namespace {

using base::Millis;
using Await = ExamStep::Await;

/// Shogidokoro gives an engine five seconds for usiok.
constexpr Millis handshake_slow{5'000};
constexpr Millis handshake_max{15'000};
constexpr Millis readyok_slow{10'000};
/// The guard waits a quarter of its margin between "stop" and its own move.
constexpr Millis stop_slow{250};
constexpr Millis stop_max{2'500};
constexpr Millis quit_slow{1'000};
constexpr Millis quit_max{4'000};
/// Long enough for a second answer behind the first.
constexpr Millis settle{120};

class Plan {
 public:
  explicit Plan(const ExamSetup& setup) : setup_(setup), dialect_(dialect_of(setup.protocol)) {}

  std::vector<ExamStep> steps() {
    clock("byoyomi", "btime 0 wtime 0 byoyomi 1000", Millis{1'000});
    if (dialect_.plays_shogi) {
      add({"clock", {}, Await::clock});
    }
    // How the times are spelled is known only then: 1.7 s and an increment of 0.3 s.
    clock("fischer", "", Millis{2'000});
    clock("sudden death", "btime 1500 wtime 1500", Millis{1'500});
    clock("main time and byoyomi", "btime 500 wtime 500 byoyomi 500", Millis{1'000});
    stopped_search();
    if (dialect_.has_ponder) {
      ponder();
    }
    add({"stop without a search", {"stop"}, Await::silence, Millis{200}});
    next_game();
    ExamStep quit{"quit", {"quit"}, Await::exit, quit_max};
    quit.soft_limit = quit_slow;
    add(std::move(quit));
    return std::move(steps_);
  }

 private:
  void add(ExamStep step) { steps_.push_back(std::move(step)); }

  const ExamPosition& next_position() {
    KAKEHASHI_CHECK(!setup_.positions.empty(), "an examination has a position");
    return setup_.positions[position_++ % setup_.positions.size()];
  }

  void clock(const std::string& section, const std::string& times, Millis granted) {
    const ExamPosition& position = next_position();
    ExamStep step{section, {position.line, "go " + times}, Await::answer, granted};
    step.is_clocked = true;
    step.legal = position.legal;
    add(std::move(step));
    add({section, {}, Await::silence, settle});
  }

  void stop(const std::string& section, std::vector<std::string> legal) {
    ExamStep step{section, {"stop"}, Await::answer, stop_max};
    step.soft_limit = stop_slow;
    step.legal = std::move(legal);
    add(std::move(step));
    add({section, {}, Await::silence, settle});
  }

  /// Told to stop in the middle of a long turn, as when the guard's patience ends.
  void stopped_search() {
    const ExamPosition& position = next_position();
    add({"stop", {position.line, "go btime 600000 wtime 600000 byoyomi 10000"}, Await::thinking, Millis{300}});
    steps_.back().legal = position.legal;
    stop("stop", position.legal);
  }

  void ponder() {
    const ExamPosition& hit = next_position();
    const std::string times = "btime 1000 wtime 1000 byoyomi 500";
    add({"ponder hit", {hit.line, "go ponder " + times}, Await::pondering, Millis{700}});
    ExamStep answer{"ponder hit", {"ponderhit"}, Await::answer, Millis{1'500}};
    answer.is_clocked = true;
    answer.legal = hit.legal;
    add(std::move(answer));
    add({"ponder hit", {}, Await::silence, settle});
    const ExamPosition& miss = next_position();
    add({"ponder miss", {miss.line, "go ponder " + times}, Await::pondering, Millis{200}});
    stop("ponder miss", miss.legal);
    clock("ponder miss", "btime 0 wtime 0 byoyomi 500", Millis{500});
  }

  void next_game() {
    if (dialect_.has_gameover) {
      add({"next game", {"gameover lose"}, Await::silence, settle});
    }
    ready("next game", {"isready"});
    if (dialect_.is_ready_after_new_game) {
      ready("next game", {dialect_.new_game, "isready"});
    } else {
      add({"next game", {dialect_.new_game}, Await::silence, Millis{10}});
    }
    clock("next game", "btime 0 wtime 0 byoyomi 300", Millis{300});
  }

  void ready(const std::string& section, std::vector<std::string> lines) {
    add({section, std::move(lines), Await::readyok, setup_.ready_timeout});
  }

  const ExamSetup& setup_;
  const Dialect& dialect_;
  std::size_t position_ = 0;
  std::vector<ExamStep> steps_;
};

}  // namespace

std::vector<ExamStep> boot_steps(const ExamSetup& setup) {
  const Dialect& dialect = dialect_of(setup.protocol);
  ExamStep hello{"handshake", {dialect.name}, Await::handshake, handshake_max};
  hello.soft_limit = handshake_slow;
  ExamStep settings{"getting ready", {}, Await::settings, setup.ready_timeout};
  settings.soft_limit = readyok_slow;
  ExamStep game{"getting ready", {dialect.new_game}, Await::silence, Millis{10}};
  if (dialect.is_ready_after_new_game) {
    game.lines.emplace_back("isready");
    game.await = Await::readyok;
    game.limit = setup.ready_timeout;
  }
  return {hello, settings, game};
}

std::vector<ExamStep> exam_steps(const ExamSetup& setup) { return Plan(setup).steps(); }

}  // namespace kakehashi::usi
