// Text of records between UTF-8, in which all of the program thinks, and the encodings in which older
// files are stored. The conversion is the C library's (iconv).
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::journal::io {

/// In Shift_JIS as Windows has it (code page 932). Characters that it does not have become "?".
/// Fails only where the system has no such converter.
[[nodiscard]] base::Result<std::string> to_shift_jis(std::string_view utf8);

/// Bytes of a file in UTF-8, EUC-JP (as shogi-server records are) or Shift_JIS, whichever they are.
/// The error names the first line that is none of them.
[[nodiscard]] base::Result<std::string> to_utf8(std::string_view bytes);

}  // namespace kakehashi::journal::io
