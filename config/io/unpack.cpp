#include "config/io/unpack.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace kakehashi::config::io {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view white_space = " \t\r\n";
/// The base64 of gzip's first three bytes, 1F 8B 08 (RFC 1952, 2.3.1).
constexpr std::string_view packed_beginning = "H4sI";

/// RFC 4648, 4; the "=" at the end may be left out, as its length says nothing new.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bits_held = 0;
  bool is_padded = false;
  for (const char c : text) {
    if (white_space.find(c) != std::string_view::npos) {
      continue;
    }
    if (c == '=') {
      is_padded = true;
      continue;
    }
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos || is_padded) {
      return std::nullopt;
    }
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    bits_held += 6;
    if (bits_held >= 8) {
      bits_held -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(bits_held)) & 0xFFU);
    }
  }
  return bytes;
}

/// zlib's stream, which frees itself.
class Inflation {
 public:
  explicit Inflation(std::string& packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream_.avail_in = static_cast<uInt>(packed.size());
    constexpr int gzip_only = 16 + MAX_WBITS;
    is_good_ = inflateInit2(&stream_, gzip_only) == Z_OK;
  }
  ~Inflation() {
    if (is_good_) {
      inflateEnd(&stream_);
    }
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  [[nodiscard]] bool is_good() const { return is_good_; }
  /// The next piece, at most one block long; `code` is zlib's.
  std::string_view next(int& code) {
    stream_.next_out = block_.data();
    stream_.avail_out = static_cast<uInt>(block_.size());
    code = inflate(&stream_, Z_NO_FLUSH);
    return {reinterpret_cast<const char*>(block_.data()), block_.size() - stream_.avail_out};
  }

 private:
  z_stream stream_{};
  std::array<Bytef, std::size_t{16} * 1024> block_{};
  bool is_good_ = false;
};

}  // namespace

bool looks_packed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  return begin != std::string_view::npos && text.substr(begin).starts_with(packed_beginning) &&
         decode_base64(text).has_value();
}

base::Result<std::string> unpack(std::string_view text, std::size_t bytes_max) {
  auto packed = decode_base64(text);
  if (!packed) {
    return base::fail("is not base64");
  }
  if (packed->size() > std::numeric_limits<uInt>::max()) {
    return base::fail("is too long");
  }
  Inflation inflation(*packed);
  if (!inflation.is_good()) {
    return base::fail("cannot be unpacked: there is no memory for it");
  }
  std::string unpacked;
  for (int code = Z_OK; code != Z_STREAM_END;) {
    const std::string_view piece = inflation.next(code);
    if (code != Z_OK && code != Z_STREAM_END) {
      return base::fail(code == Z_BUF_ERROR ? "is cut off: gzip's end is missing"
                                            : "is not gzip in base64, or is damaged");
    }
    if (unpacked.size() + piece.size() > bytes_max) {
      return base::fail("holds more than " + std::to_string(bytes_max) + " bytes when unpacked");
    }
    unpacked += piece;
  }
  return unpacked;
}

}  // namespace kakehashi::config::io
