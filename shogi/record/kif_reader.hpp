// Reads KIF and KI2 records of any program, in UTF-8. Variations (変化) are left out: the main line
// counts. Nothing in a file can do more than give an error that names its line.
// Source: Kakinoki's description of the KIF format.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: ". Every move must
/// be legal, but for a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_kif(std::string_view text, std::chrono::minutes utc_offset);
[[nodiscard]] base::Result<Record> read_ki2(std::string_view text, std::chrono::minutes utc_offset);

}  // namespace kakehashi::shogi::record
