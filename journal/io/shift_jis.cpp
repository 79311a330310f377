#include "journal/io/shift_jis.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/utf8.hpp"

namespace kakehashi::journal::io {
namespace {

/// A converter that closes itself.
class Converter {
 public:
  Converter(const char* to, const char* from) : descriptor_(::iconv_open(to, from)) {}
  ~Converter() {
    if (is_open()) {
      ::iconv_close(descriptor_);
    }
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  [[nodiscard]] bool is_open() const {
    return descriptor_ != reinterpret_cast<iconv_t>(-1);  // NOLINT: what iconv_open() returns
  }
  /// Takes from `text` what it can convert; false where it stops at bytes that it cannot.
  [[nodiscard]] bool convert(std::string_view& text, std::string& out) const {
    char* from = const_cast<char*>(text.data());  // iconv() reads it only
    std::size_t left = text.size();
    std::array<char, 4096> buffer{};
    while (left > 0) {
      char* to = buffer.data();
      std::size_t space = buffer.size();
      const std::size_t done = ::iconv(descriptor_, &from, &left, &to, &space);
      const int why = errno;
      out.append(buffer.data(), buffer.size() - space);
      if (done == static_cast<std::size_t>(-1) && why != E2BIG) {
        text.remove_prefix(text.size() - left);
        return false;
      }
    }
    text = {};
    return true;
  }

 private:
  iconv_t descriptor_;
};

}  // namespace

base::Result<std::string> to_shift_jis(std::string_view utf8) {
  const Converter converter("CP932", "UTF-8");
  if (!converter.is_open()) {
    return base::fail("this system cannot convert to Shift_JIS (iconv knows no CP932)");
  }
  std::string out;
  while (!converter.convert(utf8, out)) {
    out += '?';
    const auto character = base::utf8_at(utf8, 0);
    utf8.remove_prefix(character ? character->length_bytes : 1);
  }
  return out;
}

base::Result<std::string> to_utf8(std::string_view bytes) {
  std::size_t farthest = 0;
  for (const char* encoding : {"UTF-8", "EUC-JP", "CP932"}) {
    const Converter converter("UTF-8", encoding);
    std::string out;
    std::string_view rest = bytes;
    if (converter.is_open() && converter.convert(rest, out)) {
      return out;
    }
    farthest = std::max(farthest, bytes.size() - rest.size());
  }
  const auto lines = std::count(bytes.begin(), bytes.begin() + static_cast<long>(farthest), '\n');
  return base::fail("line " + std::to_string(lines + 1) +
                        ": these bytes are no text in UTF-8, Shift_JIS or EUC-JP",
                    farthest);
}

}  // namespace kakehashi::journal::io
