// Whether the pieces of a position that somebody else wrote down can stand so at all. The notations
// ask it of every board they read; it knows no notation and no history of a game.
#pragma once

#include <optional>
#include <string>

#include "shogi/position.hpp"

namespace kakehashi::shogi {

/// How many of that kind a set of pieces has; promoted kinds count as what they were.
[[nodiscard]] int pieces_in_set(PieceKind kind);
/// How many of them are on the board, promoted or not, and in both hands.
[[nodiscard]] int pieces_used(const Position& position, PieceKind kind);

/// Why no game can reach that position: more pieces than a set has, two kings of a side, two
/// unpromoted pawns of a side on a file, a piece without any further move. Nothing when it may be.
/// A side may lack its king, as in mate problems, and either king may be in check.
[[nodiscard]] std::optional<std::string> impossible_because(const Position& position);

}  // namespace kakehashi::shogi
