// How Japanese formats say that a game is over: the last line of KIF, the sentence of KI2 and KIF,
// and the comments for what they have no word for. Each word's writer stands beside its reader.
// Source: Kakinoki's description of the KIF format; tsshogi and json-kifu-format read the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

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
