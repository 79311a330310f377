// The one way of the commands to a terminal, or to whatever reads their standard output and standard error: what they
// write goes through here, and nothing that a peer, a file or another program said reaches a terminal as a command to
// it, or unseen. Owns which bytes pass; what is written is the commands' business.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>

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

}  // namespace kakehashi::cli
