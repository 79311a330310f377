// Performs a golden script: plays its inputs on a stage and writes the script anew with what came
// of them. A script is right when the new text is the old one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "support/script.hpp"
#include "support/stage.hpp"

namespace kakehashi::support {

struct Performance {
  std::string text;                     ///< the script with its outputs written anew
  std::vector<std::string> complaints;  ///< of the referee
  std::vector<bridge::Note> notes;      ///< of all weights
  std::uint64_t steps = 0;              ///< with the start
};

/// `deaths` of the playing process, each of which another follows; none by default.
[[nodiscard]] Performance perform(const Script& script, const Stage::Deaths& deaths = {});

/// The lines that differ between two texts, "-" for the first and "+" for the second, with a few
/// lines around them.
[[nodiscard]] std::string describe_difference(const std::string& before, const std::string& after);

}  // namespace kakehashi::support
