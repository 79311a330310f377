#include "base/checksum.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace kakehashi::base {
namespace {

// RFC 3720, appendix B.4, and the check value of the Rocksoft catalogue.
TEST(Crc32c, it_gives_the_published_values) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, it_is_the_same_whatever_is_taken_at_once) {
  std::string text;
  for (int length = 0; length < 40; ++length) {
    std::uint32_t rest = 0xFFFFFFFFU;
    for (const char c : text) {
      rest ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) {
        rest = (rest & 1U) != 0U ? (rest >> 1U) ^ 0x82F63B78U : rest >> 1U;
      }
    }
    EXPECT_EQ(crc32c(text), ~rest) << length;
    text += static_cast<char>(201 + length * 37);
  }
}

}  // namespace
}  // namespace kakehashi::base
