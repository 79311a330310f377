// The terminal that pictures are drawn on in place, and the keys that are pressed before it. Owns how that
// is done; what is in a picture is live_view.hpp's business.
#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::cli {

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

}  // namespace kakehashi::cli
