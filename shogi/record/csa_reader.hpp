// Reads CSA game records, V1 to V3.0, of any program. Bytes of names and comments are passed
// through as they are; nothing in a file can do more than give an error that names its line.
// Source: CSA record file format V2.2 (2008), V3.0 (2024).
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// The records of a file, which "/" lines separate; none when there are only comments. Dates are
/// taken as local to that offset from UTC. Errors begin with "line N: ". Every move must be legal,
/// but for a last one that a foul's special move follows: it becomes a comment of the ending,
/// "ILLEGAL_MOVE(+7775FU)". What shogi-server tells in comments only is understood: the limit of
/// moves, the increment, when and (in the summary) how the game ended.
[[nodiscard]] base::Result<std::vector<Record>> read_csa(
    std::string_view text, std::chrono::minutes utc_offset = std::chrono::minutes{0});

}  // namespace kakehashi::shogi::record
