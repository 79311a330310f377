// The characters of KIF and KI2, taken from the front of a text one by one. For the two notations
// only; it knows no move.
#pragma once

#include <optional>
#include <string_view>

#include "shogi/piece.hpp"

namespace kakehashi::shogi::kif {

/// Whether `text` began with `word`, which is then gone from it.
[[nodiscard]] bool take_word(std::string_view& text, std::string_view word);
/// Drops ASCII and ideographic spaces and tabs at the front.
void skip_blanks(std::string_view& text);

/// "７", "7" or "七": 1 to 9.
[[nodiscard]] std::optional<int> take_digit(std::string_view& text);
/// "二", "十八": 1 to 18.
[[nodiscard]] std::optional<int> take_count(std::string_view& text);
/// "成銀", "全", "龍", "竜", "王" …
[[nodiscard]] std::optional<PieceKind> take_piece(std::string_view& text);
/// "同　" gives the last target, "７六" a square. Nothing when it is neither.
[[nodiscard]] std::optional<Square> take_target(std::string_view& text,
                                                std::optional<Square> last);

/// 1 to 18 as "一" .. "十八".
[[nodiscard]] const char* count_word(int count);

}  // namespace kakehashi::shogi::kif
