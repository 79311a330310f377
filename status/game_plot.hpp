// One game as a picture: the evaluation over the moves as our engine saw it, and the time of each move.
// A self-contained SVG for reports and web pages. Pure.
#pragma once

#include <string>

#include "shogi/record/model.hpp"
#include "status/archived_game.hpp"

namespace kakehashi::status {

[[nodiscard]] std::string plot_svg(const ArchivedGame& game, const shogi::record::Record& record);

}  // namespace kakehashi::status
