// Whether a record agrees with itself: its ending with its last position, its times with its clocks.
// That every move is legal its reader has found already. Knows no format.
#pragma once

#include <string>
#include <vector>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// What is wrong, a sentence each, beginning with "move N: " or "ending: "; empty when all is well.
/// Times are checked only where the record has both them and the clock.
[[nodiscard]] std::vector<std::string> inconsistencies(const Record& record);

}  // namespace kakehashi::shogi::record
