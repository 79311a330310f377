// The one way of the commands to a terminal, or to whatever reads their standard output and standard error: what they
// write goes through here, and nothing that a peer, a file or another program said reaches a terminal as a command to
// it, or unseen. Owns which bytes pass, how pictures are drawn on it in place, and the keys that are pressed before it; what
// is written is the commands' business, and what is in a picture live_view.hpp's.
#pragma once

#include <termios.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::cli {

/// While it lives, what is written to a stream goes on as base::shown() has it, line by line; a line that is not
/// finished, when the stream is flushed.
class ShownOnly {
 public:
  /// `descriptor` is where the stream leads in the end.
  ShownOnly(std::ostream& stream, int descriptor);
  ~ShownOnly();
  ShownOnly(const ShownOnly&) = delete;
  ShownOnly& operator=(const ShownOnly&) = delete;

 private:
  class Buffer;

  std::ostream& stream_;
  std::unique_ptr<Buffer> buffer_;
  std::streambuf* before_;
};

/// Manipulators: what is written from now on to a stream that only shows,
/// is text (as from the start);
std::ostream& as_text(std::ostream& stream);
/// is a picture: the control sequences that this program draws with pass, and no other. What peers say in it has gone
/// through plain() (live_view.hpp);
std::ostream& as_picture(std::ostream& stream);
/// is a file of its own form: each byte passes, unless it would reach a terminal.
std::ostream& as_file(std::ostream& stream);

// --- the terminal that pictures are drawn on in place

/// How this process's terminal wants to be written to, from its environment.
[[nodiscard]] bool is_terminal_output();
[[nodiscard]] watch::Look look_of_environment();

/// Lines of the terminal at standard output; 24 where it does not tell.
[[nodiscard]] std::size_t screen_rows();

/// What writes the picture over the one before: each line erases what an earlier, longer one left behind it
/// and ends at the edge of the screen, and the lines behind `rows` are left out, so that nothing scrolls.
[[nodiscard]] std::string in_place(std::string_view picture, std::size_t rows);

/// Keys reach the program as they are pressed, unseen, while this lives. Does nothing where standard input
/// is no terminal, or one that belongs to another program now.
class SingleKeys {
 public:
  SingleKeys();
  ~SingleKeys();
  SingleKeys(const SingleKeys&) = delete;
  SingleKeys& operator=(const SingleKeys&) = delete;

  /// Waits for that long, or until q or Ctrl-C is pressed or the terminal is gone: true then.
  [[nodiscard]] bool quit_within(base::Millis longest) const;

 private:
  std::optional<termios> before_;
};

// --- another program on the same terminal

/// Waits for it. Its exit status; -1 where it cannot be run.
int run_command(const std::vector<std::string>& words);

}  // namespace kakehashi::cli
