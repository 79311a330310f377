#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace kakehashi::base {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Controls, odd spaces, joiners, marks of direction, fillers, private use, tags.
constexpr std::array invisible{
    Range{0x0000, 0x0020}, Range{0x007F, 0x00A0},   Range{0x00AD, 0x00AD}, Range{0x034F, 0x034F},
    Range{0x061C, 0x061C}, Range{0x115F, 0x1160},   Range{0x1680, 0x1680}, Range{0x17B4, 0x17B5},
    Range{0x180B, 0x180F}, Range{0x2000, 0x200F},   Range{0x2028, 0x202F}, Range{0x205F, 0x206F},
    Range{0x3000, 0x3000}, Range{0x3164, 0x3164},   Range{0xE000, 0xF8FF}, Range{0xFDD0, 0xFDEF},
    Range{0xFE00, 0xFE0F}, Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0}, Range{0xFFF0, 0xFFFB},
    Range{0xFFFE, 0xFFFF}, Range{0xE0000, 0x10FFFF}};

/// Unicode's East_Asian_Width W and F (UAX #11), with what lies between.
constexpr std::array wide{
    Range{0x1100, 0x115F}, Range{0x2E80, 0x303E},   Range{0x3041, 0xA4CF},   Range{0xA960, 0xA97C},
    Range{0xAC00, 0xD7A3}, Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF01, 0xFF60},
    Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF}, Range{0x20000, 0x3FFFD}};
/// Marks that stand above or below the character before them.
constexpr std::array combining{Range{0x0300, 0x036F}, Range{0x3099, 0x309A}};

template <std::size_t count>
bool is_in(const std::array<Range, count>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

/// Calls `take` with each character, or nothing for a byte that is none, and the bytes.
template <class Take>
void each_character(std::string_view text, const Take& take) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_at(text, at);
    const std::size_t length = character ? character->length_bytes : 1;
    take(character, text.substr(at, length));
    at += length;
  }
}

std::size_t columns_of(char32_t code) { return is_in(combining, code) ? 0 : is_in(wide, code) ? 2 : 1; }

}  // namespace

std::optional<Utf8Character> utf8_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) {
    return Utf8Character{first, 1};
  }
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || text.size() - at < length) {
    return std::nullopt;
  }
  char32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) {
      return std::nullopt;
    }
    code = (code << 6) | (byte(at + i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> code_min{0, 0, 0x80, 0x800, 0x10000};
  if (code < code_min[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return std::nullopt;
  }
  return Utf8Character{code, length};
}

std::size_t utf8_bytes(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {  // nearly all that is ever asked about
      ++at;
      continue;
    }
    const auto character = utf8_at(text, at);
    if (!character) {
      break;
    }
    at += character->length_bytes;
  }
  return at;
}

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  each_character(text, [&](const auto& character, std::string_view) { columns += character ? columns_of(character->code) : 1; });
  return columns;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  return std::string(text) + std::string(columns < width ? width - columns : 0, ' ');
}

bool is_visible(char32_t code) { return !is_in(invisible, code); }

bool is_shown(char32_t code) {
  constexpr char32_t wide_space = 0x3000;
  return code == ' ' || code == wide_space || is_visible(code);
}

std::string shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto escape = [&out](char kind, std::size_t digits, char32_t value) {
    out += {'\\', kind};
    for (std::size_t digit = digits; digit-- > 0;) {
      out += "0123456789ABCDEF"[(value >> (4 * digit)) & 0xFU];
    }
  };
  each_character(text, [&](const auto& character, std::string_view bytes) {
    if (!character) {
      escape('x', 2, static_cast<unsigned char>(bytes.front()));
    } else if (const char32_t code = character->code; is_shown(code) || code == '\n' || code == '\t') {
      out += bytes;
    } else if (code > 0xFFFF) {
      escape('u', 4, 0xD800 + ((code - 0x10000) >> 10U));
      escape('u', 4, 0xDC00 + ((code - 0x10000) & 0x3FFU));
    } else {
      escape('u', 4, code);
    }
  });
  return out;
}

std::string markup_text(std::string_view text) {
  std::string safe;
  each_character(text, [&](const auto& character, std::string_view bytes) {
    if (!character || !is_shown(character->code)) {
      safe += "\xEF\xBF\xBD";
      return;
    }
    switch (bytes.front()) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += bytes;
    }
  });
  return safe;
}

std::string utf8_for_json(std::string_view text) {
  std::string clean;
  each_character(text, [&](const auto& character, std::string_view bytes) {
    const bool is_c1 = character && character->code >= 0x80 && is_control(character->code);
    clean += character && !is_c1 ? bytes : "\xEF\xBF\xBD";
  });
  return clean;
}

std::string one_line(std::string_view text, OtherBytes others, std::size_t bytes_max) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_at(text, at);
    const std::size_t length = character ? character->length_bytes : 1;
    if (line.size() + length > bytes_max) {
      break;
    }
    if (character && is_control(character->code)) {
      line += ' ';
    } else if (!character && others == OtherBytes::replace) {
      line += '?';
    } else {
      line += text.substr(at, length);
    }
    at += length;
  }
  return line;
}

}  // namespace kakehashi::base
