// What a command tells the person who gave it: messages, as lines of standard output and standard error, in that
// person's language. Owns how they are set; what reaches a terminal at all is terminal.hpp's business, and JSON and
// files for programs go to their streams as they are.
#pragma once

#include <CLI/Error.hpp>
#include <cstddef>
#include <ostream>
#include <string>

#include "base/message.hpp"
#include "words/words.hpp"

namespace kakehashi::cli {

/// One of the two streams, which must outlive it. What is written is flushed: a person waits for it.
class Lines {
 public:
  Lines(std::ostream& stream, words::Language language) : stream_(&stream), language_(language) {}

  void line(const base::Message& message) const;
  /// "engine    starting now": the label in a column of its own.
  void labelled(const base::Message& label, const base::Message& text, std::size_t width = 10) const;
  /// Below another one.
  void indented(const base::Message& message) const;
  void blank() const;

  /// For pictures, and files with comments in that language.
  [[nodiscard]] std::string said(const base::Message& message) const { return words::in(language_, message); }
  [[nodiscard]] words::Language language() const { return language_; }
  [[nodiscard]] std::ostream& stream() const { return *stream_; }

 private:
  std::ostream* stream_;
  words::Language language_;
};

/// Both of them, as each command has them.
struct Terminal {
  Lines output;
  Lines errors;

  /// "kakehashi: …", on standard error. Returns the exit status that goes with it.
  int fault(const base::Message& why, int status = 0) const;
};

/// What a person did wrong on the command line: a command throws it, run_command_line() tells it, and the exit status is
/// 64.
class Misuse : public CLI::ParseError {
 public:
  explicit Misuse(base::Message why);

  [[nodiscard]] const base::Message& why() const { return why_; }

 private:
  base::Message why_;
};

}  // namespace kakehashi::cli
