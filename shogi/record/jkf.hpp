// Reads JSON Kifu Format of any program, normalised or not: a move may name its source, or only
// which of several pieces moves. Variations (forks) are left out: the main line counts.
// Source: json-kifu-format's schema.
//
// Writes JSON Kifu Format, one JSON text without line breaks. It knows whole seconds.
// Source: json-kifu-format's schema; MAX_MOVES as special is tsshogi's addition.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: " where the JSON
/// itself is broken, and with "moves[N]: " where its content is. Every move must be legal, but for
/// a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_jkf(std::string_view text, std::chrono::minutes utc_offset);

[[nodiscard]] std::string write_jkf(const Record& record, CommentStyle comments);

}  // namespace kakehashi::shogi::record
