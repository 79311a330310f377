// The questions of an examination, in order: what is sent, what must come back, and by when.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "usi/dialect.hpp"
#include "usi/option.hpp"

namespace kakehashi::usi {

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
  std::string section;
  std::vector<std::string> lines;  ///< sent first; in USI words
  Await await = Await::silence;
  /// Of silence: how long. Of an answer to a clock: what the clock grants. Else: the latest moment.
  base::Millis limit{0};
  base::Millis soft_limit{0};  ///< above it the answer is slow
  bool is_clocked = false;     ///< the limit is a clock's
  std::vector<std::string> legal{};

  /// Else its limit is how long nothing is to be heard.
  [[nodiscard]] bool waits_for_answer() const {
    return await != Await::silence && await != Await::pondering && await != Await::thinking;
  }
};

/// The steps that bring an engine to a game: handshake, settings, new game.
[[nodiscard]] std::vector<ExamStep> boot_steps(const ExamSetup& setup);
/// All that follow, `quit` included.
[[nodiscard]] std::vector<ExamStep> exam_steps(const ExamSetup& setup);

}  // namespace kakehashi::usi
