// Reads JSON Kifu Format of any program, normalised or not: a move may name its source, or only
// which of several pieces moves. Variations (forks) are left out: the main line counts.
// Source: json-kifu-format's schema.
#pragma once

#include <chrono>
#include <string_view>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: " where the JSON
/// itself is broken, and with "moves[N]: " where its content is. Every move must be legal, but for
/// a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_jkf(std::string_view text, std::chrono::minutes utc_offset);

}  // namespace kakehashi::shogi::record
