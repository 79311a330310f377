// In which language the commands speak: their help, and the lines that they write for people. They themselves speak
// English only; what of it a person reads in Japanese, words says.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "words/words.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

/// The one that --lang names, else that of the locale. It must be known before the command line is read: what is wrong
/// with that is to be said, too.
[[nodiscard]] words::Language language_of(const std::vector<std::string>& arguments);

/// --lang en|ja. `take` gets the word.
void add_language_option(CLI::App& command, const std::function<void(const std::string&)>& take);

/// Gives --lang to `app` and to each of its commands that lacks it, and describes all in that language.
void describe_in(words::Language language, CLI::App& app);

/// While it lives, what is written to a stream goes on in Japanese, line by line; a line that is not finished, when the
/// stream is flushed. JSON is left alone.
class JapaneseLines {
 public:
  explicit JapaneseLines(std::ostream& stream);
  ~JapaneseLines();
  JapaneseLines(const JapaneseLines&) = delete;
  JapaneseLines& operator=(const JapaneseLines&) = delete;

 private:
  class Buffer;

  std::ostream& stream_;
  std::ios_base::fmtflags flags_;
  std::unique_ptr<Buffer> buffer_;
  std::streambuf* before_;
};

}  // namespace kakehashi::cli
