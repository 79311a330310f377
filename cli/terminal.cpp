#include "cli/terminal.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iostream>
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

// --- the terminal that pictures are drawn on in place

namespace {

constexpr std::size_t usual_rows = 24;
constexpr char interrupt = 3;            // Ctrl-C
constexpr char end_of_transmission = 4;  // Ctrl-D

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool has_utf8_locale() {
  // The first that is set decides, as for setlocale(3).
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = variable(name);
    if (!value.empty()) {
      return value.find("UTF-8") != std::string_view::npos ||
             value.find("utf8") != std::string_view::npos;
    }
  }
  return false;
}

}  // namespace

bool is_terminal_output() { return ::isatty(STDOUT_FILENO) == 1 && variable("TERM") != "dumb"; }

watch::Look look_of_environment() {
  watch::Look look;
  look.kanji = has_utf8_locale();
  look.color = is_terminal_output() && variable("NO_COLOR").empty();
  return look;
}

std::size_t screen_rows() {
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  return is_known ? size.ws_row : usual_rows;
}

std::string in_place(std::string_view picture, std::size_t rows) {
  std::string text = "\x1b[?7l\x1b[H";  // no line goes on in the next one
  for (std::size_t row = 0; row < rows && !picture.empty(); ++row) {
    const auto end = picture.find('\n');
    text += (row == 0 ? "" : "\n") + std::string(picture.substr(0, end)) + "\x1b[K";
    picture.remove_prefix(end == std::string_view::npos ? picture.size() : end + 1);
  }
  return text + "\x1b[J\x1b[?7h";
}

SingleKeys::SingleKeys() {
  termios now{};
  if (::tcgetpgrp(STDIN_FILENO) != ::getpgrp() || ::tcgetattr(STDIN_FILENO, &now) != 0) {
    return;
  }
  before_ = now;
  // Ctrl-C comes as a key, too: a signal would leave the terminal as it is now.
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

SingleKeys::~SingleKeys() {
  if (before_) {
    ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
  }
}

bool SingleKeys::quit_within(base::Millis longest) const {
  const auto end = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const auto left = std::chrono::ceil<base::Millis>(end - std::chrono::steady_clock::now());
    if (left <= base::Millis{0}) {
      return false;
    }
    // Without a terminal only the time is waited for.
    pollfd key{before_ ? STDIN_FILENO : -1, POLLIN, 0};
    if (::poll(&key, 1, static_cast<int>(left.count())) < 1) {
      continue;  // the time is over, or a signal came
    }
    char pressed = 0;
    const auto count = ::read(STDIN_FILENO, &pressed, 1);
    const bool is_gone = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    if (is_gone || pressed == 'q' || pressed == 'Q' || pressed == interrupt ||
        pressed == end_of_transmission) {
      return true;
    }
  }
}

// --- another program on the same terminal

int run_command(const std::vector<std::string>& words) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  std::cout << std::flush;
  pid_t child = -1;
  if (::posix_spawnp(&child, arguments.front(), nullptr, nullptr, arguments.data(), environ) != 0) {
    return -1;
  }
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace kakehashi::cli
