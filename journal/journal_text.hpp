// A journal as text. For people: one line an entry, "+12.345 s  < server  +7776FU,T3". And as a golden script
// (tests/golden/README.md), so that a failure in the field becomes a regression test. It knows how entries look, not
// what they mean.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "journal/journal.hpp"

namespace kakehashi::journal {

/// "< server  +7776FU,T3", "> engine  go btime 1000", "* warn  code: text". Peer text is escaped
/// and cut. Events have the words of the scripts.
[[nodiscard]] std::string describe(const bridge::Event& event);
[[nodiscard]] std::string describe(const bridge::Action& action);

class Timeline {
 public:
  /// The line for an entry, without its end; nothing for those that tell a person nothing (timers,
  /// settings). Entries in their order.
  [[nodiscard]] std::optional<std::string> line(const Entry& entry);
  /// "+12.345 s": the time of the last event, from the start of the run.
  [[nodiscard]] std::string instant() const;

 private:
  std::optional<base::Now> started_;
  base::SteadyTime last_{};
};

/// The inputs of a run as a golden script: settings that are not the default, then each event in its order, times in
/// milliseconds from the start. Timers and records that went well are left out, and so are the outputs: the runner of the
/// scripts adds them.
[[nodiscard]] std::string write_script(const Contents& contents);

}  // namespace kakehashi::journal
