// A journal for people: one line an entry, "+12.345 s  < server  +7776FU,T3". It knows how entries
// look, not what they mean.
#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "bridge/journal/journal.hpp"

namespace kakehashi::bridge::journal {

/// "< server  +7776FU,T3", "> engine  go btime 1000", "* warn  code: text". Peer text is escaped
/// and cut.
[[nodiscard]] std::string describe(const Event& event);
[[nodiscard]] std::string describe(const Action& action);

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

}  // namespace kakehashi::bridge::journal
