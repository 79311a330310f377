#include "config/source_text.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "config/load_yaml.hpp"

namespace kakehashi::config {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_unwelcome_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

/// Whether the bytes from `at` begin one whole UTF-8 character, and how long it is; 0: they do not.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || at + length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const bool is_overlong = (first == 0xE0 && byte(at + 1) < 0xA0) ||
                           (first == 0xF0 && byte(at + 1) < 0x90);
  const bool is_no_character = (first == 0xED && byte(at + 1) > 0x9F) ||
                               (first == 0xF4 && byte(at + 1) > 0x8F);
  return is_overlong || is_no_character ? 0 : length;
}

std::string hex(unsigned char byte) {
  char text[5];
  std::snprintf(text, sizeof text, "0x%02X", byte);
  return text;
}

std::string_view line_of(std::string_view text, int line) {
  for (int at = 1; at < line; ++at) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

bool is_indented_with_a_tab(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at != std::string_view::npos && line[at] == '\t';
}

}  // namespace

bool judge_source(std::string_view text, Report& report) {
  if (text.size() > file_bytes_max) {
    report.problem({}, "",
                   "is " + std::to_string(text.size()) + " bytes long; a configuration has at most " +
                       std::to_string(file_bytes_max));
    return false;
  }
  Place place{1, 1};
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (is_unwelcome_control(byte)) {
      report.problem(place, "", "the control byte " + hex(byte) + " has no place in a configuration");
      return false;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      report.problem(place, "",
                     "the byte " + hex(byte) + " is not UTF-8; save the file in that encoding");
      return false;
    }
    place = byte == '\n' ? Place{place.line + 1, 1} : Place{place.line, place.column + 1};
    at += length;
  }
  return true;
}

std::string without_byte_order_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) {
    text.remove_prefix(byte_order_mark.size());
  }
  return std::string(text);
}

std::string hint_for_syntax(std::string_view text, int line) {
  for (int at = line; at > 0 && at >= line - 1; --at) {
    if (is_indented_with_a_tab(line_of(text, at))) {
      return "; line " + std::to_string(at) + " is indented with a tab: use spaces";
    }
  }
  const std::string_view seen = base::trim(line_of(text, line));
  if (seen.find(": ") != std::string_view::npos && seen.find(": ") != seen.rfind(": ")) {
    return "; a value that holds \": \" must stand in quotes, and each key needs its colon";
  }
  return "";
}

}  // namespace kakehashi::config
