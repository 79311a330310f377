// Foreign text inside one line of a record: names and comments come from peers, and no byte of
// theirs begins a new line. Knows no file format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kakehashi::shogi::record {

inline constexpr std::size_t line_text_bytes_max = 1024;

/// What becomes of bytes that are no UTF-8.
enum class OtherBytes { keep, replace };

/// Control characters, C1 included, become spaces, other bytes "?" if they are not kept; cut at a character's end to
/// at most `bytes_max`.
[[nodiscard]] std::string one_line(std::string_view text, OtherBytes others,
                                   std::size_t bytes_max = line_text_bytes_max);

}  // namespace kakehashi::shogi::record
