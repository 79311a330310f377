// Which special move a record gets for the words a server ended the game with.
// Source: CSA reference, "Wire result to record".
#pragma once

#include <string_view>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// What is known of a game's end.
struct EndingFacts {
  std::string_view reason;     ///< the server's word, "#RESIGN", …; empty: none came
  std::optional<Color> loser;  ///< the side that lost, if one did
  Color mover;                 ///< the side to move at the end
  bool after_declaration;      ///< %KACHI was the last line of the game
};

[[nodiscard]] EndingKind ending_of(const EndingFacts& facts);

}  // namespace kakehashi::shogi::record
