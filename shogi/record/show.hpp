// A record for people: who played, each move with its time, thought and comments, and the board with
// both hands after it. UTF-8 text for a terminal; nothing reads it back.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/message.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// In the reader's language; what kifu have words for is in theirs.
using Said = std::function<std::string(const base::Message&)>;

/// All positions, or with `ply` (0: the start) the one after that move. `ply` is at most the number
/// of moves.
[[nodiscard]] std::string show_record(const Record& record, std::optional<std::size_t> ply, const Said& said);

}  // namespace kakehashi::shogi::record
