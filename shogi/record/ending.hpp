// Which special move a record gets for the words a server ended the game with.
// Source: CSA reference, "Wire result to record".
#pragma once

#include <optional>
#include <string_view>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// What is known of a game's end.
struct EndingFacts {
  std::string_view reason;     ///< the server's word, "#RESIGN", …; empty: none came
  std::optional<Color> loser;  ///< the side that lost; nothing in a draw, or when no one said it
  Color mover;                 ///< the side to move at the end
  bool after_declaration;      ///< %KACHI was the last line of the game
};

[[nodiscard]] EndingKind ending_of(const EndingFacts& facts);

/// "%TORYO", … of V3.0; %MATTA of older versions broke a game off. Nothing for unknown words.
[[nodiscard]] std::optional<EndingKind> ending_of_special_move(std::string_view word);

/// Some programs write the move that lost a game by being illegal, and then such an ending.
[[nodiscard]] bool is_foul(EndingKind kind);

/// From what follows "'summary:" in the records of shogi-server, "illegal kachi:a lose:b win": it
/// says which %KACHI was wrong, and how games ended for which it writes no special move. Nothing
/// for unknown words.
[[nodiscard]] std::optional<EndingKind> ending_of_summary(std::string_view summary);

}  // namespace kakehashi::shogi::record
