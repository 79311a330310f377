#include "base/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/cp932_table.hpp"
#include "base/utf8.hpp"

namespace kakehashi::base {

namespace {

// --- characters

constexpr char32_t half_width = 0xFF61;  ///< "｡", the first of those that have one byte
constexpr unsigned half_width_first = 0xA1;
constexpr unsigned half_width_last = 0xDF;

void append(std::string& utf8, char32_t code) {  // none is above U+FFFF
  const auto tail = [&utf8](char32_t bits) { utf8 += static_cast<char>(0x80U | (bits & 0x3FU)); };
  if (code < 0x80) {
    utf8 += static_cast<char>(code);
  } else if (code < 0x800) {
    utf8 += static_cast<char>(0xC0U | (code >> 6U));
    tail(code);
  } else {
    utf8 += static_cast<char>(0xE0U | (code >> 12U));
    tail(code >> 6U);
    tail(code);
  }
}

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// 0: these two are no character.
char16_t pair(unsigned lead, unsigned trail) {
  const bool is_pair = ((lead >= 0x81 && lead <= 0x9F) || (lead >= 0xE0 && lead <= 0xFC)) && trail >= 0x40 &&
                       trail <= 0xFC && trail != 0x7F;
  if (!is_pair) {
    return 0;
  }
  const std::size_t row = lead < 0xE0 ? lead - 0x81 : lead - 0xE0 + 31;
  return cp932_pairs[row * cp932_trails + (trail < 0x7F ? trail - 0x40 : trail - 0x41)];
}

/// The character that begins at `text[at]`, and its bytes there.
using CharacterAt = std::optional<Utf8Character> (*)(std::string_view text, std::size_t at);

std::optional<Utf8Character> of_pair(char16_t code) {
  return code != 0 ? std::optional(Utf8Character{code, 2}) : std::nullopt;
}

std::optional<Utf8Character> cp932_at(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) {
    return Utf8Character{first, 1};
  }
  if (first >= half_width_first && first <= half_width_last) {
    return Utf8Character{half_width + (first - half_width_first), 1};
  }
  return at + 1 < text.size() ? of_pair(pair(first, byte_at(text, at + 1))) : std::nullopt;
}

/// Rows and cells of JIS X 0208, of which code page 932 has two rows to a first byte.
std::optional<Utf8Character> euc_jp_at(std::string_view text, std::size_t at) {
  constexpr unsigned before_half_width = 0x8E;
  constexpr unsigned cells = 94;
  const unsigned first = byte_at(text, at);
  if (first < 0x80) {
    return Utf8Character{first, 1};
  }
  const unsigned second = at + 1 < text.size() ? byte_at(text, at + 1) : 0;
  if (first == before_half_width && second >= half_width_first && second <= half_width_last) {
    return Utf8Character{half_width + (second - half_width_first), 2};
  }
  if (first < 0xA1 || first == 0xFF || second < 0xA1 || second == 0xFF) {
    return std::nullopt;
  }
  const unsigned row = first - 0xA1;
  const unsigned cell = second - 0xA1 + (row % 2 == 0 ? 0 : cells);
  return of_pair(pair(row / 2 + (row < 62 ? 0x81 : 0xC1), cell + (cell < 63 ? 0x40 : 0x41)));
}

// --- texts

struct Read {
  std::string utf8;
  std::size_t bytes = 0;  ///< as far as they are characters
};

Read read(std::string_view bytes, CharacterAt character_at) {
  Read done;
  done.utf8.reserve(bytes.size() + bytes.size() / 2);
  while (done.bytes < bytes.size()) {
    const auto character = character_at(bytes, done.bytes);
    if (!character) {
      break;
    }
    append(done.utf8, character->code);
    done.bytes += character->length_bytes;
  }
  return done;
}

/// What Windows, and iconv, take for characters that code page 932 has in another form.
constexpr std::array<std::pair<char16_t, char16_t>, 9> others_for{{{0x00A2, 0xFFE0},
                                                                   {0x00A3, 0xFFE1},
                                                                   {0x00A5, u'\\'},
                                                                   {0x00AC, 0xFFE2},
                                                                   {0x2014, 0x2015},
                                                                   {0x2016, 0x2225},
                                                                   {0x203E, u'~'},
                                                                   {0x2212, 0xFF0D},
                                                                   {0x301C, 0xFF5E}}};

/// The bytes of each character that has two, by its code. 374 have two such pairs: NEC's come last.
const std::array<std::uint16_t, 0x10000>& pairs_of_characters() {
  static const auto pairs = [] {
    std::array<std::uint16_t, 0x10000> made{};
    const auto add = [&made](unsigned lead) {
      for (unsigned trail = 0x40; trail <= 0xFC; ++trail) {
        if (const char16_t code = pair(lead, trail); code != 0 && made[code] == 0) {
          made[code] = static_cast<std::uint16_t>(lead << 8U | trail);
        }
      }
    };
    for (unsigned lead = 0x81; lead <= 0xFC; ++lead) {
      if (lead != 0xED && lead != 0xEE) {
        add(lead);
      }
    }
    add(0xED);
    add(0xEE);
    return made;
  }();
  return pairs;
}

void append_cp932(std::string& bytes, char32_t code) {
  const auto* other = std::find_if(others_for.begin(), others_for.end(), [&](const auto& row) { return row.first == code; });
  code = other != others_for.end() ? other->second : code;
  if (code < 0x80) {
    bytes += static_cast<char>(code);
  } else if (code >= half_width && code <= half_width + (half_width_last - half_width_first)) {
    bytes += static_cast<char>(code - half_width + half_width_first);
  } else if (const unsigned two = code > 0xFFFF ? 0U : pairs_of_characters()[code]; two != 0) {
    bytes += static_cast<char>(two >> 8U);
    bytes += static_cast<char>(two & 0xFFU);
  } else {
    bytes += '?';
  }
}

}  // namespace

std::optional<std::string> from_cp932(std::string_view bytes) {
  Read done = read(bytes, cp932_at);
  return done.bytes == bytes.size() ? std::optional(std::move(done.utf8)) : std::nullopt;
}

std::string to_cp932(std::string_view utf8) {
  std::string bytes;
  bytes.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const auto character = utf8_at(utf8, at);
    append_cp932(bytes, character ? character->code : U'\uFFFD');
    at += character ? character->length_bytes : 1;
  }
  return bytes;
}

Result<std::string> to_utf8(std::string_view bytes) {
  std::size_t farthest = utf8_bytes(bytes);
  if (farthest == bytes.size()) {
    return std::string(bytes);
  }
  for (const CharacterAt character_at : {euc_jp_at, cp932_at}) {
    Read done = read(bytes, character_at);
    if (done.bytes == bytes.size()) {
      return std::move(done.utf8);
    }
    farthest = std::max(farthest, done.bytes);
  }
  const auto lines = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(farthest), '\n');
  return fail(say("line {}: these bytes are no text in UTF-8, Shift_JIS or EUC-JP", lines + 1), farthest);
}

}  // namespace kakehashi::base
