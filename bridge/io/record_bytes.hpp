// How a record's text is stored: its line ends and its encoding.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "bridge/action.hpp"
#include "config/record_config.hpp"

namespace kakehashi::bridge::io {

[[nodiscard]] std::string with_newlines(std::string_view text, config::Newline newline);

/// The bytes of a whole file. Fails only where the system cannot convert to Shift_JIS.
[[nodiscard]] base::Result<std::string> stored(const RecordFile& file, config::Newline newline);

}  // namespace kakehashi::bridge::io
