// The characters of code page 932, which deploy/cp932_table.cmake writes when the program is built. For encoding.cpp.
#pragma once

#include <array>
#include <cstddef>

namespace kakehashi::base {

/// First bytes 0x81 to 0x9F and 0xE0 to 0xFC; second ones 0x40 to 0xFC, but 0x7F.
inline constexpr std::size_t cp932_leads = 60;
inline constexpr std::size_t cp932_trails = 188;

/// By first byte and second byte; 0: these two are no character.
extern const std::array<char16_t, cp932_leads * cp932_trails> cp932_pairs;

}  // namespace kakehashi::base
