// How an engine reads its clock in a game with increments: the first guess by its name, and a probe that
// asks the engine itself. USI says of btime only that it is what remains; whether an engine adds binc to it
// for the present move, or never goes beyond btime, differs from engine to engine and from version to version.
// Pure: searches are started and stopped by whoever owns the engine, and its answers and the time come in.
//
//   question  | clocks of the mover                    | answered early      | silent until the limit
//   ----------+----------------------------------------+---------------------+---------------------------
//   alone     | btime 300 ms                           | -> behind           | another position, or unknown
//   behind    | btime 300 ms, binc 20 s                | -> within           | it adds binc -> sides
//   within    | btime of both together, the same binc  | another, or unknown | it keeps to btime -> sides
//   sides     | btime 300 ms, the other one's 20 s     | done                | it takes the other one's
//
// An engine that ends in "behind", the first time that it hears of binc, knows no increments. Of one that ends
// elsewhere, or is deaf to stop, nothing is found. Silence tells only of an engine that could be heard: a question
// during which it could not is put again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/message.hpp"
#include "base/time.hpp"
#include "usi/command.hpp"

namespace kakehashi::usi {

enum class ClockReading {
  unknown,
  adds,           ///< this move's limit is btime and binc together
  keeps_to_btime, ///< this move's limit is btime, whatever binc says
  no_increments,  ///< binc ends the process
};

struct EngineClocks {
  ClockReading reading = ClockReading::unknown;
  /// The mover's clock is taken for the other one's: fairy-stockfish up to 11.2 in shogi.
  bool swaps_sides = false;

  friend bool operator==(const EngineClocks&, const EngineClocks&) = default;
};

/// What is known of the engines that go by such an `id name`; a first guess, for a name can be changed.
[[nodiscard]] EngineClocks clocks_by_name(std::string_view name);

/// "adds", "keeps_to_btime": for files, and back.
[[nodiscard]] std::string_view word_of(ClockReading reading);
[[nodiscard]] std::optional<ClockReading> clock_reading_named(std::string_view word);
/// "adds the increment to btime by itself".
[[nodiscard]] base::Message describe(ClockReading reading);
/// What an engine with that reading is to be sent: "btime without this move's increment, and binc".
[[nodiscard]] base::Message describe_form(ClockReading reading);
/// The whole sentence, from "it" on.
[[nodiscard]] base::Message describe(const EngineClocks& clocks);

class ClockProbe {
 public:
  /// `delays` is all that the engine says to keep back of its time: the increment must exceed it by far.
  explicit ClockProbe(base::Millis delays = base::Millis{0});

  /// To be done at once. Neither: wait for the answer or the deadline.
  struct Deed {
    std::string position;  ///< empty: nothing is searched
    std::string go;
    bool stop = false;
  };
  [[nodiscard]] Deed start(base::SteadyTime now);
  /// The bestmove of the running search.
  [[nodiscard]] Deed on_answer(base::SteadyTime now);
  [[nodiscard]] Deed on_time(base::SteadyTime now);
  /// The engine could not be heard for a while: what the running question brings says nothing of it.
  void on_interruption();
  /// The engine is gone: is_finished() is true.
  void on_death();

  /// While it is not finished.
  [[nodiscard]] base::SteadyTime deadline() const;
  /// No answer is owed any more, or none will come.
  [[nodiscard]] bool is_finished() const { return !std::holds_alternative<Asked>(phase_); }
  /// `stop` was not answered: there is no use in this process.
  [[nodiscard]] bool is_deaf() const;
  [[nodiscard]] const EngineClocks& found() const { return found_; }

  static constexpr base::Millis main_time{300};
  static constexpr base::Millis increment_min{20'000};
  /// An answer within this is early; twice the time of the first question, if that is more.
  static constexpr base::Millis early_min{1'000};
  /// Of the first question: an engine that needs more has a least time of its own, or no limit at all.
  static constexpr base::Millis alone_max{1'500};
  static constexpr base::Millis alone_limit{3'000};
  /// From "stop" to the answer.
  static constexpr base::Millis stop_limit{5'000};
  /// Who looks at the clock this much too late has stood still, and heard nothing meanwhile.
  static constexpr base::Millis late_max{500};
  /// So many questions are put again; then nothing is found.
  static constexpr int repeats_max = 8;

 private:
  enum class Question { alone, behind, within, sides };
  struct NotBegun {};
  /// A question waits for its answer.
  struct Asked {
    Question question;
    base::SteadyTime at;
    base::SteadyTime deadline;
    bool is_stopped = false;  ///< it was silent until its limit
    bool is_void = false;     ///< the engine could not be heard
  };
  struct Done { bool is_deaf = false; };

  [[nodiscard]] Deed ask(Question question, base::SteadyTime now);
  [[nodiscard]] Deed ask_elsewhere(base::SteadyTime now);
  [[nodiscard]] Deed ask_again(Question question, base::SteadyTime now);
  [[nodiscard]] Deed judge(const Asked& asked, base::SteadyTime now);

  base::Millis increment_;
  std::variant<NotBegun, Asked, Done> phase_;
  std::size_t position_ = 0;
  base::Millis early_ = early_min;
  int repeats_ = 0;
  EngineClocks found_;
};

}  // namespace kakehashi::usi
