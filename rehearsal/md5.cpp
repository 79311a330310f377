#include "rehearsal/md5.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace kakehashi::rehearsal {
namespace {

using State = std::array<std::uint32_t, 4>;
constexpr std::size_t block_bytes = 64;

constexpr std::array<std::array<int, 4>, 4> shifts = {{
    {7, 12, 17, 22},
    {5, 9, 14, 20},
    {4, 11, 16, 23},
    {6, 10, 15, 21},
}};

/// RFC 1321, 3.4: the integer part of 2^32 times the sine of 1 to 64.
std::array<std::uint32_t, 64> sine_table() {
  std::array<std::uint32_t, 64> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint32_t>(
        std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
  }
  return table;
}

std::uint32_t word_at(std::string_view block, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(block[index * 4 + byte]))
            << (8 * byte);
  }
  return word;
}

struct Mixed {
  std::uint32_t value;
  std::size_t word;
};

Mixed mix(std::size_t step, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  switch (step / 16) {
    case 0:
      return {(b & c) | (~b & d), step};
    case 1:
      return {(d & b) | (~d & c), (5 * step + 1) % 16};
    case 2:
      return {b ^ c ^ d, (3 * step + 5) % 16};
    default:
      return {c ^ (b | ~d), (7 * step) % 16};
  }
}

void digest_block(State& state, std::string_view block,
                  const std::array<std::uint32_t, 64>& sines) {
  auto [a, b, c, d] = state;
  for (std::size_t step = 0; step < 64; ++step) {
    const auto mixed = mix(step, b, c, d);
    const auto sum = a + mixed.value + sines[step] + word_at(block, mixed.word);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, shifts[step / 16][step % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

/// RFC 1321, 3.1 and 3.2: one bit, zeros, and the length in bits.
std::string padded(std::string_view text) {
  std::string bytes(text);
  const auto bits = static_cast<std::uint64_t>(text.size()) * 8;
  bytes.push_back('\x80');
  while (bytes.size() % block_bytes != block_bytes - 8) {
    bytes.push_back('\0');
  }
  for (int shift = 0; shift < 64; shift += 8) {
    bytes.push_back(static_cast<char>((bits >> shift) & 0xff));
  }
  return bytes;
}

}  // namespace

std::string md5_hex(std::string_view text) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const auto sines = sine_table();
  const auto bytes = padded(text);
  for (std::size_t at = 0; at < bytes.size(); at += block_bytes) {
    digest_block(state, std::string_view(bytes).substr(at, block_bytes), sines);
  }

  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const auto word : state) {
    for (int shift = 0; shift < 32; shift += 8) {
      const auto byte = (word >> shift) & 0xff;
      hex.push_back(digits[byte >> 4]);
      hex.push_back(digits[byte & 0xf]);
    }
  }
  return hex;
}

}  // namespace kakehashi::rehearsal
