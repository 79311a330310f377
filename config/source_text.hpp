// The bytes of a configuration file before YAML sees them. yaml-cpp takes the byte 0x04 for the
// end of the file and repairs broken UTF-8 silently: both would lose settings without a word.
#pragma once

#include <string>
#include <string_view>

#include "config/problem.hpp"

namespace kakehashi::config {

/// Whether the text is small enough and UTF-8 without control characters; if not, the report says
/// where the first one stands.
[[nodiscard]] bool judge_source(std::string_view text, Report& report);

[[nodiscard]] std::string without_byte_order_mark(std::string_view text);

/// What is likely behind a syntax error on that line, for the end of its message: "; …" or empty.
[[nodiscard]] std::string hint_for_syntax(std::string_view text, int line);

}  // namespace kakehashi::config
