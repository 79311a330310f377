#include "base/checksum.hpp"

#include <array>

namespace kakehashi::base {

namespace {

constexpr std::uint32_t reversed_polynomial = 0x82F63B78U;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest & 1U) != 0U ? (rest >> 1U) ^ reversed_polynomial : rest >> 1U;
    }
    table[byte] = rest;
  }
  return table;
}

constexpr auto table = make_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t rest = 0xFFFFFFFFU;
  for (const char c : bytes) {
    rest = (rest >> 8U) ^ table[(rest ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  return ~rest;
}

}  // namespace kakehashi::base
