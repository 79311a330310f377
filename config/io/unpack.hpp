// Text that was packed for a command line: gzip in base64, as ShogiHome's window exports settings.
// Only this file's source knows zlib.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::config::io {

/// Whether a text can be nothing else: base64 throughout, and gzip's first bytes.
[[nodiscard]] bool looks_packed(std::string_view text);

/// White space is skipped. Errors end a sentence that begins with the text, and repeat none of it:
/// no base64, no gzip, damaged, cut off, or longer than `bytes_max` when unpacked.
[[nodiscard]] base::Result<std::string> unpack(std::string_view text, std::size_t bytes_max);

}  // namespace kakehashi::config::io
