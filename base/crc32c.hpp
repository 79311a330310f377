// CRC-32C (Castagnoli, RFC 3720 appendix B.4): notices a text that was cut or changed on its way to
// a disk and back. No protection against somebody who means it.
#pragma once

#include <cstdint>
#include <string_view>

namespace kakehashi::base {

[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);

}  // namespace kakehashi::base
