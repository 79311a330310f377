// Repeats a journal through the core: the same configuration, seed, events and times must give the
// same actions. It knows no file and prints nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bridge/journal/journal.hpp"

namespace kakehashi::bridge {

/// One step that did something else than was recorded; the first action that differs.
struct Difference {
  std::uint64_t number = 0;  ///< of the entry of the event
  std::string instant;       ///< "+12.345 s"
  std::string after;         ///< the event, for people
  std::string recorded;      ///< the action, for people; "nothing" when there was none left
  std::string repeated;
};

struct Replay {
  /// Why the run cannot be repeated, or not from some point on; a sentence's end.
  std::string obstacle;
  std::vector<std::string> remarks;  ///< what may make it differ: settings of another version
  std::size_t steps = 0;             ///< that were repeated and compared
  std::size_t differences_count = 0;
  std::vector<Difference> differences;  ///< the first ones

  static constexpr std::size_t differences_max = 10;
};

[[nodiscard]] Replay replay(const journal::Contents& contents);

}  // namespace kakehashi::bridge
