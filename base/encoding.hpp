// Text in the encodings of older Japanese programs and files: Shift_JIS as Windows has it (code page 932), and EUC-JP.
// All of the program thinks in UTF-8. Knows neither engines nor records.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::base {

/// Nothing when these bytes are no text in code page 932.
[[nodiscard]] std::optional<std::string> from_cp932(std::string_view bytes);

/// Characters that code page 932 does not have, and bytes that are no UTF-8, become "?".
[[nodiscard]] std::string to_cp932(std::string_view utf8);

/// Bytes of a file in UTF-8, EUC-JP (as shogi-server's records are) or code page 932, whichever they are.
/// The error names the first line that is none of them.
[[nodiscard]] Result<std::string> to_utf8(std::string_view bytes);

}  // namespace kakehashi::base
