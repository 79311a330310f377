// Small questions about text that several folders ask. Pure; bytes are opaque, never assumed UTF-8
// unless a name says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kakehashi::base {

/// Without spaces, tabs and CR at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The words of a line, separated by any run of spaces and tabs.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view line);

/// The pieces between separators; always at least one, empty pieces kept.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// The texts, with the separator between them.
template <class Texts>
[[nodiscard]] std::string join(const Texts& texts, std::string_view separator) {
  std::string all;
  bool is_first = true;
  for (const auto& text : texts) {
    if (!is_first) {
      all += separator;
    }
    all += text;
    is_first = false;
  }
  return all;
}

/// A whole text as a decimal integer with an optional sign; nothing on anything else or overflow.
[[nodiscard]] std::optional<std::int64_t> parse_int(std::string_view text);

/// Whether a byte below 0x20 or 0x7F stands in it: such a text cannot be a part of a line.
[[nodiscard]] bool has_control_byte(std::string_view text);

/// With each %XX as the byte that it stands for (RFC 3986, section 2.1); nothing for a broken one.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// For messages: quoted, cut to `bytes_max` with "…"; bytes of what no person may be shown (utf8.hpp) are escaped as \xNN.
[[nodiscard]] std::string quote_for_log(std::string_view text, std::size_t bytes_max = 200);

/// The candidate nearest to a misspelt word by edit distance, if it is near enough to suggest.
/// Upper and lower case count as equal.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> candidates);

/// "250 ms", "12.5 s", "3 min 20 s": a duration for people, with its unit.
[[nodiscard]] std::string format_millis(std::int64_t millis);

}  // namespace kakehashi::base
