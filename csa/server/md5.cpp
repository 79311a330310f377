#include "csa/server/md5.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include "base/check.hpp"

namespace kakehashi::csa::server {

std::string md5_hex(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t bytes = 0;
  // "-fips": also where the machine's OpenSSL allows no MD5 for what protects something.
  const bool is_done = EVP_Q_digest(nullptr, "MD5", "-fips", text.data(), text.size(), digest.data(), &bytes) == 1;
  KAKEHASHI_CHECK(is_done, "OpenSSL knows MD5");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < bytes; ++i) {
    hex.push_back(digits[digest[i] >> 4U]);
    hex.push_back(digits[digest[i] & 0xfU]);
  }
  return hex;
}

}  // namespace kakehashi::csa::server
