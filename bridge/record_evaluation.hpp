// What a record keeps of an engine's thought: the same, turned to black's point of view, its line as
// the CSA moves behind the played one.
#pragma once

#include <optional>

#include "bridge/eval_comment.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::bridge {

/// Of a move played on `before`; nothing when the engine told no score (a book move).
[[nodiscard]] std::optional<shogi::record::Evaluation> evaluation_of(const Thought& thought,
                                                                     const shogi::Move& move,
                                                                     const shogi::Position& before);

}  // namespace kakehashi::bridge
