#include "bridge/cli/init/dialogue.hpp"

#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "base/text.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr char end_of_text = 3;           // Ctrl-C, where the terminal makes no signal of it
constexpr char end_of_transmission = 4;   // Ctrl-D
constexpr char backspace = 8;
constexpr char delete_key = 127;

/// Byte by byte: what belongs to the next question stays with the system. Nothing: the end.
std::optional<char> read_byte() {
  char byte = 0;
  for (;;) {
    const auto count = ::read(STDIN_FILENO, &byte, 1);
    if (count == 1) {
      return byte;
    }
    if (count == 0 || errno != EINTR) {
      return std::nullopt;
    }
  }
}

/// Neither shows what is typed nor turns a key into a signal, so that no way out leaves it behind.
class SilentTerminal {
 public:
  SilentTerminal() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (is_terminal_) {
      termios silent = before_;
      silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ISIG | ICANON);
      ::tcsetattr(STDIN_FILENO, TCSADRAIN, &silent);
    }
  }
  ~SilentTerminal() {
    if (is_terminal_) {
      ::tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;

 private:
  termios before_{};
  bool is_terminal_;
};

/// Of a terminal that is silent.
std::optional<std::string> read_secret() {
  std::string text;
  while (text.size() <= answer_bytes_max) {
    const auto byte = read_byte();
    if (!byte || *byte == end_of_text || *byte == end_of_transmission) {
      return std::nullopt;
    }
    if (*byte == '\n' || *byte == '\r') {
      return text;
    }
    if (*byte != backspace && *byte != delete_key) {
      text += *byte;
    } else if (!text.empty()) {
      text.pop_back();
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_dialogue_possible() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

std::optional<std::string> read_answer() {
  std::string line;
  while (line.size() <= answer_bytes_max) {
    const auto byte = read_byte();
    if (!byte) {
      return line.empty() ? std::nullopt : std::optional(line);
    }
    if (*byte == '\n') {
      return line;
    }
    line += *byte;
  }
  return std::nullopt;
}

std::optional<std::string> ask(const std::string& question, const std::string& proposal) {
  std::cerr << question << (proposal.empty() ? "" : " [" + proposal + "]") << ": " << std::flush;
  const auto line = read_answer();
  if (!line) {
    return std::nullopt;
  }
  const auto answer = base::trim(*line);
  return answer.empty() ? proposal : std::string(answer);
}

std::optional<std::string> ask_secret(const std::string& question) {
  const SilentTerminal silent;  // before the question: who sees it may type at once
  std::cerr << question << ": " << std::flush;
  auto answer = read_secret();
  std::cerr << std::endl;
  return answer;
}

std::optional<bool> ask_yes(const std::string& question, bool proposal) {
  for (;;) {
    const auto answer = ask(question, proposal ? "Y/n" : "y/N");
    if (!answer) {
      return std::nullopt;
    }
    if (*answer == "Y/n" || *answer == "y" || *answer == "Y" || *answer == "yes") {
      return true;
    }
    if (*answer == "y/N" || *answer == "n" || *answer == "N" || *answer == "no") {
      return false;
    }
    std::cerr << "Please answer y or n.\n";
  }
}

}  // namespace kakehashi::bridge::cli
