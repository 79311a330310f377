// Performs a golden script: plays its inputs on a stage and writes the script anew with what came
// of them. A script is right when the new text is the old one.
#pragma once

#include <string>
#include <vector>

#include "bridge/bot/bot.hpp"
#include "support/script.hpp"

namespace kakehashi::support {

struct Performance {
  std::string text;                     ///< the script with its outputs written anew
  std::vector<std::string> complaints;  ///< of the referee
  std::vector<bridge::Note> notes;      ///< of all weights
};

[[nodiscard]] Performance perform(const Script& script);

/// The lines that differ between two texts, "-" for the first and "+" for the second, with a few
/// lines around them.
[[nodiscard]] std::string describe_difference(const std::string& before, const std::string& after);

}  // namespace kakehashi::support
