// How games end, in the words of servers and of record formats: which special move a record gets for the word a server
// ended the game with, and how Japanese formats say that a game is over.
// Source: CSA reference, "Wire result to record"; Kakinoki's description of the KIF format; tsshogi and
// json-kifu-format read the same.
#pragma once

#include <optional>
#include <string>
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

/// "%TORYO", … of V3.0.
[[nodiscard]] const char* csa_word(EndingKind kind);
/// The same read; %MATTA of older versions broke a game off. Nothing for unknown words.
[[nodiscard]] std::optional<EndingKind> ending_of_special_move(std::string_view word);

/// Some programs write the move that lost a game by being illegal, and then such an ending.
[[nodiscard]] bool is_foul(EndingKind kind);

/// From what follows "'summary:" in the records of shogi-server, "illegal kachi:a lose:b win": it
/// says which %KACHI was wrong, and how games ended for which it writes no special move. Nothing
/// for unknown words.
[[nodiscard]] std::optional<EndingKind> ending_of_summary(std::string_view summary);

// --- the last line of KIF, the sentence of KI2 and KIF, and the comments for what they have no word for; each word's
// writer stands beside its reader

/// "投了", "切れ負け", "反則負け" (the side to move fouled) … `mover` is the side to move at the end.
[[nodiscard]] const char* kif_word(EndingKind kind, Color mover);
[[nodiscard]] std::optional<EndingKind> ending_of_kif_word(std::string_view word, Color mover);

/// The names of the sides: in customary handicap games 下手 and 上手.
struct SideNames {
  const char* black = "先手";
  const char* white = "後手";

  [[nodiscard]] const char* of(Color color) const { return color == Color::black ? black : white; }
};

/// "まで80手で先手の勝ち".
[[nodiscard]] std::string ending_sentence(EndingKind kind, Color mover, std::size_t plies,
                                          const SideNames& names);
/// What stands behind "まで80手で". Nothing for unknown words.
[[nodiscard]] std::optional<EndingKind> ending_of_sentence(std::string_view words, Color mover);

/// A comment for an ending whose word says less than is known: "最大手数", "連続王手の千日手". Empty
/// when the word says it all.
[[nodiscard]] std::string_view ending_remark(const Ending& ending);
/// Understands such a comment; false when it is none for this ending.
[[nodiscard]] bool take_ending_remark(std::string_view comment, Color mover, Ending& ending);

inline constexpr std::string_view perpetual_check_reason = "#OUTE_SENNICHITE";
inline constexpr std::string_view perpetual_check_remark = "連続王手の千日手";

}  // namespace kakehashi::shogi::record
