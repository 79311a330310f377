#include "base/checksum.hpp"

#include <array>
#include <cstring>

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

#if defined(__x86_64__)
/// The processor has this very sum since 2008: each line of a journal is summed on a move's way.
bool has_instruction() { return __builtin_cpu_supports("sse4.2"); }

[[gnu::target("sse4.2")]] std::uint32_t take_words(std::uint32_t sum, std::string_view& bytes) {
  std::uint64_t rest = sum;
  for (std::uint64_t word = 0; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    rest = __builtin_ia32_crc32di(rest, word);
  }
  return static_cast<std::uint32_t>(rest);
}
#else
bool has_instruction() { return false; }
std::uint32_t take_words(std::uint32_t sum, std::string_view&) { return sum; }
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t rest = 0xFFFFFFFFU;
  if (has_instruction()) {
    rest = take_words(rest, bytes);
  }
  for (const char c : bytes) {
    rest = (rest >> 8U) ^ table[(rest ^ static_cast<unsigned char>(c)) & 0xFFU];
  }
  return ~rest;
}

}  // namespace kakehashi::base
