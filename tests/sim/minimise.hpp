// Makes a failure small: first by leaving out faults while the story still fails alike, then by
// leaving out events of the bot that failed, replayed without peers as a golden script.
#pragma once

#include <functional>
#include <string>

#include "sim/story.hpp"

namespace kakehashi::sim {

/// What is wrong, without instants, numbers, names and positions: two failures of one bug are alike.
[[nodiscard]] std::string kind_of(const std::string& complaint);

/// The scenario without the faults that its failure does not need, those of a standby or a team among them.
[[nodiscard]] Scenario minimise_faults(Scenario scenario,
                                       const std::function<bool(const Scenario&)>& still_fails);
/// … as long as it fails with a complaint of that kind.
[[nodiscard]] Scenario minimise_faults(Scenario scenario, const std::string& complaint);

/// The text of a golden script that fails with a complaint of that kind; without one, when the
/// failure needs the peers or a late timer, the whole story of the bot as a script that does not.
struct FoundScript {
  std::string text;
  bool fails = false;
};
[[nodiscard]] FoundScript write_script(const Scenario& scenario, const std::string& complaint);

}  // namespace kakehashi::sim
