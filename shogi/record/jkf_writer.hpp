// Writes JSON Kifu Format, one JSON text without line breaks. It knows whole seconds.
// Source: json-kifu-format's schema; MAX_MOVES as special is tsshogi's addition.
#pragma once

#include <string>

#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

[[nodiscard]] std::string write_jkf(const Record& record, CommentStyle comments);

}  // namespace kakehashi::shogi::record
