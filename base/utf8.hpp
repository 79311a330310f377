// UTF-8 from files and peers: which bytes are characters, which characters a person sees, and foreign text inside one
// line. Knows no file format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kakehashi::base {

struct Utf8Character {
  char32_t code;
  std::size_t length_bytes;  ///< 1 to 4
};

/// The character that begins at `text[at]`; nothing when these bytes are no well-formed UTF-8
/// (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF). `at` is inside `text`.
[[nodiscard]] std::optional<Utf8Character> utf8_at(std::string_view text, std::size_t at);

/// So many bytes of its beginning are well-formed; of UTF-8 all.
[[nodiscard]] std::size_t utf8_bytes(std::string_view text);

/// Some editors put one before a text.
[[nodiscard]] std::string_view without_byte_order_mark(std::string_view text);

/// In a terminal, where Japanese takes two for each character.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// With spaces behind it up to `width` columns of a terminal.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);

/// C0, DEL and C1 (U+0080 to U+009F), which terminals obey.
[[nodiscard]] constexpr bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Whether it has a shape of its own. Control characters have none, nor have those that reorder or
/// hide their neighbours, so that one name looks like another.
[[nodiscard]] bool is_visible(char32_t code);

/// Whether it may stand as it is where a person reads: what is visible, the plain space, and the wide one that stands
/// in Japanese names.
[[nodiscard]] bool is_shown(char32_t code);

/// For a terminal, whoever wrote the text: lines, tabs and what is_shown() stay; another character becomes \uXXXX (two
/// beyond U+FFFF), which JSON reads as the same character, and a byte that is no UTF-8 \xXX.
[[nodiscard]] std::string shown(std::string_view text);

/// A text in HTML or SVG, between marks or as the value of an attribute in double quotes: no mark begins in it, and
/// what is_shown() does not let stand becomes U+FFFD.
[[nodiscard]] std::string markup_text(std::string_view text);

/// Of names and comments of peers: no byte of theirs begins a new line.
inline constexpr std::size_t line_text_bytes_max = 1024;

/// UTF-8 whatever the bytes: others, and controls that take two bytes, which JSON does not escape and terminals obey,
/// become U+FFFD.
[[nodiscard]] std::string utf8_for_json(std::string_view text);

/// What becomes of bytes that are no UTF-8.
enum class OtherBytes { keep, replace };

/// Control characters, C1 included, become spaces, other bytes "?" if they are not kept; cut at a character's end to
/// at most `bytes_max`.
[[nodiscard]] std::string one_line(std::string_view text, OtherBytes others,
                                   std::size_t bytes_max = line_text_bytes_max);

}  // namespace kakehashi::base
