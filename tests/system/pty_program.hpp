// The program on a terminal of its own: what a person sees, and what a person types.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "tests/places.hpp"

namespace kakehashi::test {

class PtyProgram {
 public:
  /// In `directory`.
  PtyProgram(std::vector<std::string> arguments, const std::string& directory, const std::string& file = test::binary()) {
    arguments.insert(arguments.begin(), file);
    std::vector<char*> words;
    for (auto& argument : arguments) {
      words.push_back(argument.data());
    }
    words.push_back(nullptr);
    process_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      if (::chdir(directory.c_str()) == 0) {
        ::execv(file.c_str(), words.data());
      }
      ::_exit(127);
    }
    EXPECT_GT(process_, 0);
  }
  ~PtyProgram() {
    ::close(terminal_);
    if (!status_) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  PtyProgram(const PtyProgram&) = delete;
  PtyProgram& operator=(const PtyProgram&) = delete;

  /// Reads on until the text is on the screen, behind what was waited for before.
  [[nodiscard]] bool sees(const std::string& text) {
    for (;;) {
      if (const auto at = screen_.find(text, seen_); at != std::string::npos) {
        seen_ = at + text.size();
        return true;
      }
      if (!read_more()) {
        ADD_FAILURE() << "never on the screen: " << text << "\n" << screen_;
        return false;
      }
    }
  }

  void type(const std::string& text) {
    EXPECT_EQ(::write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  /// Waits for the program's end. -1: it was killed.
  [[nodiscard]] int finish() {
    while (read_more()) {
    }
    int raw = 0;
    ::waitpid(process_, &raw, 0);
    status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
    return *status_;
  }

  [[nodiscard]] const std::string& screen() const { return screen_; }

 private:
  static constexpr int patience_ms = 60'000;

  /// Nothing more comes: the program has ended (EIO on Linux), or says nothing for too long.
  bool read_more() {
    pollfd readable{terminal_, POLLIN, 0};
    if (::poll(&readable, 1, patience_ms) != 1) {
      return false;
    }
    std::array<char, 4096> bytes{};
    const auto count = ::read(terminal_, bytes.data(), bytes.size());
    if (count <= 0) {
      return false;
    }
    screen_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }

  int terminal_ = -1;
  pid_t process_ = -1;
  std::optional<int> status_;
  std::string screen_;
  std::size_t seen_ = 0;
};

}  // namespace kakehashi::test
