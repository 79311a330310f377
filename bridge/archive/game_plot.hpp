// One game as a picture: the evaluation over the moves as our engine saw it, and the time of each move.
// A self-contained SVG for reports and web pages. Pure.
#pragma once

#include <string>

#include "bridge/archive/archived_game.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge::archive {

[[nodiscard]] std::string plot_svg(const ArchivedGame& game, const shogi::record::Record& record);

}  // namespace kakehashi::bridge::archive
