// A move without its position: from a square or from hand, to a square, promoting or not. Which
// piece moves, and whether it may, is the position's business (legality.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "shogi/piece.hpp"

namespace kakehashi::shogi {

class Move {
 public:
  [[nodiscard]] static constexpr Move board(Square from, Square to, bool promotes) {
    return Move(from, PieceKind::pawn, to, promotes);
  }
  /// `kind` is one that can be held in hand.
  [[nodiscard]] static constexpr Move drop(PieceKind kind, Square to) {
    KAKEHASHI_CHECK(can_be_in_hand(kind), "only a piece in hand is dropped");
    return Move(std::nullopt, kind, to, false);
  }

  [[nodiscard]] constexpr bool is_drop() const { return !from_.has_value(); }
  /// Board moves only.
  [[nodiscard]] constexpr Square from() const {
    KAKEHASHI_CHECK(from_.has_value(), "a drop has no source square");
    return *from_;
  }
  /// Drops only.
  [[nodiscard]] constexpr PieceKind dropped() const {
    KAKEHASHI_CHECK(is_drop(), "a board move drops nothing");
    return dropped_;
  }
  [[nodiscard]] constexpr Square to() const { return to_; }
  [[nodiscard]] constexpr bool promotes() const { return promotes_; }

  friend constexpr bool operator==(const Move&, const Move&) = default;

 private:
  constexpr Move(std::optional<Square> from, PieceKind dropped, Square to, bool promotes)
      : from_(from), dropped_(dropped), to_(to), promotes_(promotes) {}

  std::optional<Square> from_;
  PieceKind dropped_;
  Square to_;
  bool promotes_;
};

}  // namespace kakehashi::shogi
