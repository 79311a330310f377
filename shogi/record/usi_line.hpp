// A game as one USI line, "position startpos moves 7g7f 3c3d": what an engine or a board program
// takes by paste. It knows the start and the moves, and nothing else of a game.
// Source: USI protocol, "position".
#pragma once

#include <string>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Ends with LF.
[[nodiscard]] std::string write_usi_line(const Record& record);

}  // namespace kakehashi::shogi::record
