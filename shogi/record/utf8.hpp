// UTF-8 in names that come from peers: which bytes are characters, and which characters a person
// sees. Knows no file format.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace kakehashi::shogi::record {

struct Utf8Character {
  char32_t code;
  std::size_t length_bytes;  ///< 1 to 4
};

/// The character that begins at `text[at]`; nothing when these bytes are no well-formed UTF-8
/// (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). `at` is inside `text`.
[[nodiscard]] std::optional<Utf8Character> utf8_at(std::string_view text, std::size_t at);

/// C0, DEL and C1 (U+0080 to U+009F), which terminals obey.
[[nodiscard]] constexpr bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Whether it has a shape of its own. Control characters have none, nor have those that reorder or
/// hide their neighbours, so that one name looks like another.
[[nodiscard]] bool is_visible(char32_t code);

}  // namespace kakehashi::shogi::record
