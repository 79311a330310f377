#include "cli/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.hpp"

namespace kakehashi::cli {
namespace {

enum class What : long { text, picture, file };

/// All that in_place() and the pictures of live_view draw with.
constexpr std::array<std::string_view, 8> drawn_with{"\x1b[?7l", "\x1b[?7h", "\x1b[H",  "\x1b[J",
                                                     "\x1b[2J",  "\x1b[K",   "\x1b[7m", "\x1b[0m"};

/// Where a stream keeps what is written to it.
int place() {
  static const int index = std::ios_base::xalloc();
  return index;
}

std::ostream& now(std::ostream& stream, What what) {
  stream.flush();  // what was written before is what it was
  stream.iword(place()) = static_cast<long>(what);
  return stream;
}

std::string shown_picture(std::string_view picture) {
  std::string out;
  while (!picture.empty()) {
    const auto sequence = std::find_if(drawn_with.begin(), drawn_with.end(),
                                       [&](std::string_view one) { return picture.starts_with(one); });
    const bool is_ours = sequence != drawn_with.end();
    const std::size_t length = is_ours ? sequence->size() : std::min(picture.find('\x1b', 1), picture.size());
    const auto piece = picture.substr(0, length);
    out += is_ours ? std::string(piece) : base::shown(piece);
    picture.remove_prefix(length);
  }
  return out;
}

}  // namespace

std::ostream& as_text(std::ostream& stream) { return now(stream, What::text); }
std::ostream& as_picture(std::ostream& stream) { return now(stream, What::picture); }
std::ostream& as_file(std::ostream& stream) { return now(stream, What::file); }

class ShownOnly::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& stream, int descriptor)
      : stream_(stream), target_(*stream.rdbuf()), is_terminal_(::isatty(descriptor) == 1) {}

 protected:
  int_type overflow(int_type byte) override {
    if (byte == traits_type::eof()) {
      return sync() == 0 ? traits_type::not_eof(byte) : traits_type::eof();
    }
    const char one = traits_type::to_char_type(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    waiting_.append(bytes, static_cast<std::size_t>(count));
    const auto end = waiting_.rfind('\n');
    return end == std::string::npos || hand_on(end + 1) ? count : 0;
  }
  int sync() override { return hand_on(waiting_.size()) ? target_.pubsync() : -1; }

 private:
  bool hand_on(std::size_t count) {
    const std::string rest = waiting_.substr(count);
    waiting_.resize(count);
    const std::string given = std::exchange(waiting_, rest);
    const auto what = static_cast<What>(stream_.iword(place()));
    const std::string passed = what == What::file && !is_terminal_ ? given
                               : what == What::picture                 ? shown_picture(given)
                                                                       : base::shown(given);
    const auto size = static_cast<std::streamsize>(passed.size());
    return target_.sputn(passed.data(), size) == size;
  }

  std::ostream& stream_;
  std::streambuf& target_;
  bool is_terminal_;
  std::string waiting_;
};

ShownOnly::ShownOnly(std::ostream& stream, int descriptor)
    : stream_(stream),
      buffer_(std::make_unique<Buffer>(stream, descriptor)),
      before_(stream.rdbuf(buffer_.get())) {
  as_text(stream_);
}

ShownOnly::~ShownOnly() {
  as_text(stream_);
  stream_.rdbuf(before_);
}

}  // namespace kakehashi::cli
