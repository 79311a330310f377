// Sums over texts. They protect against nobody who means it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kakehashi::base {

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4): notices a text that was cut or changed on its way to a disk and back.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

// --- FNV-1a with 64 bits: tells texts apart that nobody means to confuse

/// Of `text` behind what `before` is the sum of.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text,
                                            std::uint64_t before = 14'695'981'039'346'656'037U) {
  for (const char c : text) {
    before = (before ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
  }
  return before;
}

/// The same with a NUL behind it, for texts that hold none: "a", "bc" are others than "ab", "c".
[[nodiscard]] inline std::uint64_t fnv1a_with_end(const std::string& text, std::uint64_t before) {
  return fnv1a({text.c_str(), text.size() + 1}, before);
}

}  // namespace kakehashi::base
