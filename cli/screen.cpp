#include "cli/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

namespace kakehashi::cli {
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

}  // namespace kakehashi::cli
