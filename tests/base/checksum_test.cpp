#include "base/checksum.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace kakehashi::base
