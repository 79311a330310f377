// Short ways for the tests of the rules to write positions and moves: SFEN and USI, which must be
// well formed.
#pragma once

#include <string_view>

#include "shogi/notation/usi.hpp"

namespace kakehashi::shogi {

/// Throws CheckFailure when the text is no position.
inline Position board(std::string_view sfen) { return shogi::usi::parse_sfen(sfen).value(); }
/// Throws CheckFailure when the text is no move.
inline Move move(std::string_view text) { return shogi::usi::parse_move(text).value(); }

/// The position after some moves, which must be playable.
template <class... Moves>
Position after(Position position, Moves... moves) {
  (position.play(move(moves)), ...);
  return position;
}

}  // namespace kakehashi::shogi
