// A game as one USI line, "position startpos moves 7g7f 3c3d": what an engine or a board program
// takes by paste. It knows the start and the moves, and nothing else of a game.
// Source: USI protocol, "position".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Ends with LF.
[[nodiscard]] std::string write_usi_line(const Record& record);

/// One game a line: "position startpos moves …", "position sfen …", the same without "position", or
/// an SFEN alone; "resign" and "win" may stand as the last move. Empty lines and lines that begin
/// with "#" are left out. Errors begin with "line N: ".
[[nodiscard]] base::Result<std::vector<Record>> read_usi_lines(std::string_view text);

}  // namespace kakehashi::shogi::record
