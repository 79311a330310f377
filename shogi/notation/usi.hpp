// USI notation: moves ("7g7f", "8h2b+", "B*5e") and SFEN positions.
// Source: USI protocol, sections on SFEN and moves; the Shogidokoro definition counts.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/position.hpp"

namespace kakehashi::shogi::usi {

/// Reads the shape of a move only; whether it is legal is legality.hpp's question.
[[nodiscard]] base::Result<Move> parse_move(std::string_view text);
[[nodiscard]] std::string format_move(const Move& move);

/// "board side hands [move number]"; the number is read and left out. Hands may be in any order.
[[nodiscard]] base::Result<Position> parse_sfen(std::string_view text);
/// Canonical: hands in the order R B G S N L P, black first, "-" for none, ending with the number.
[[nodiscard]] std::string format_sfen(const Position& position, int move_number = 1);

/// The SFEN of the ordinary start, for which USI has the short word "startpos".
inline constexpr std::string_view startpos_sfen =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

}  // namespace kakehashi::shogi::usi
