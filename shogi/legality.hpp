// Which moves the rules of shogi allow, and which positions. The same judgement of a move as the server's
// (CSA server protocol, "Legality"): nifu, uchifuzume, own king left in check, pieces with no
// further move, mandatory promotion, promotion outside the zone.
#pragma once

#include <optional>
#include <vector>

#include "base/message.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi {

enum class Verdict {
  legal,
  no_piece_there,          ///< the source is empty or holds the opponent's piece; or not in hand
  own_piece_on_target,     ///< or a drop on an occupied square
  piece_does_not_move_so,  ///< wrong shape, or something stands in between
  cannot_promote,          ///< no promoted form, or not touching the zone
  must_promote,            ///< pawn, lance on the last rank; knight on the last two
  no_further_move,         ///< the same, for a drop
  two_pawns,               ///< nifu
  drop_pawn_mate,          ///< uchifuzume
  king_left_in_check,      ///< own king stays or comes into check
};

/// A reason in words: "two unpromoted pawns on one file (nifu)".
[[nodiscard]] base::Message describe(Verdict verdict);
/// "black", "white".
[[nodiscard]] base::Message describe(Color side);

/// Judges a move of the side to move.
[[nodiscard]] Verdict judge(const Position& position, const Move& move);
[[nodiscard]] inline bool is_legal(const Position& position, const Move& move) {
  return judge(position, move) == Verdict::legal;
}

/// All legal moves of the side to move, in a fixed order.
[[nodiscard]] std::vector<Move> legal_moves(const Position& position);
/// Cheaper than asking whether legal_moves() is empty.
[[nodiscard]] bool has_legal_move(const Position& position);

/// Whether that side's king is attacked; false when it has no king.
[[nodiscard]] bool is_in_check(const Position& position, Color color);
/// The side to move is in check and has no legal move.
[[nodiscard]] bool is_mated(const Position& position);

// --- whether the pieces of a position that somebody else wrote down can stand so at all; the notations ask it of every
// board they read

/// How many of that kind a set of pieces has; promoted kinds count as what they were.
[[nodiscard]] int pieces_in_set(PieceKind kind);
/// How many of them are on the board, promoted or not, and in both hands.
[[nodiscard]] int pieces_used(const Position& position, PieceKind kind);

/// Why no game can reach that position: more pieces than a set has, two kings of a side, two
/// unpromoted pawns of a side on a file, a piece without any further move. Nothing when it may be.
/// A side may lack its king, as in mate problems, and either king may be in check.
[[nodiscard]] std::optional<base::Message> impossible_because(const Position& position);

}  // namespace kakehashi::shogi
