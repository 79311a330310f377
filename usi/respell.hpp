// From USI to the words of another engine protocol and back. Letters only: it knows no rules of
// shogi, and passes on unchanged what it cannot read, for the guard to judge.
//
// UCI engines that play shogi give files a-i from the left and ranks 1-9 from below as the first
// mover sees them (7g7f is c3c4), a drop has "@" (P*5e is P@e5), and the first mover is "w".
#pragma once

#include <string>
#include <string_view>

#include "usi/dialect.hpp"
#include "usi/info.hpp"
#include "usi/message.hpp"

namespace kakehashi::usi {

[[nodiscard]] std::string uci_move(std::string_view usi_move);
[[nodiscard]] std::string usi_move(std::string_view uci_move);
/// "<board> b RG2p 7" as a FEN with the pieces in hand in brackets.
[[nodiscard]] std::string fen_from_sfen(std::string_view sfen);

/// A USI "position …" line in the engine's notation.
[[nodiscard]] std::string respell_position(const Dialect& dialect, std::string line);
/// A USI "go …" line in the engine's words.
[[nodiscard]] std::string respell_go(const Dialect& dialect, std::string line);

/// An engine's answer and its information in USI words: moves, "resign" where there is no move,
/// mates in plies.
void respell_answer(const Dialect& dialect, BestMove& best);
void respell_info(const Dialect& dialect, Info& info);

}  // namespace kakehashi::usi
