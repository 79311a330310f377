#include "bridge/cli/rehearse/rehearsal_event.hpp"

namespace kakehashi::bridge::cli {

using base::Millis;

std::optional<EventHabits> habits_of(std::string_view event) {
  if (event == "floodgate") {
    // The half hour between games, in seconds: waiting itself is what is rehearsed.
    return EventHabits{"floodgate-300-10F", 256, Millis{10'000}, Millis{0}, 0};
  }
  if (event == "wcsc") {
    return EventHabits{"wcsc-900-5F", 320, std::nullopt, Millis{3'000}, 1};
  }
  if (event == "denryu") {
    return EventHabits{"denryu-60-2F", 512, std::nullopt, Millis{1'000}, 1};
  }
  return std::nullopt;
}

std::optional<Faults> faults_of(std::string_view word) {
  if (word == "none") {
    return Faults{};
  }
  if (word == "mild") {
    return Faults{Millis{80}, false, false};
  }
  if (word == "wild") {
    return Faults{Millis{400}, true, true};
  }
  return std::nullopt;
}

}  // namespace kakehashi::bridge::cli
