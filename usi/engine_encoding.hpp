// An engine that writes Shift_JIS, as some for Windows do: what it says in UTF-8, in which all of the program thinks, and
// what it is told in the bytes that it knows. Owns how its options are spelled; knows neither processes nor values.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace kakehashi::usi {

/// For people: a line that is no UTF-8, and is Shift_JIS, in UTF-8; another one as it is.
[[nodiscard]] std::string readable(std::string line);

class EngineEncoding {
 public:
  /// A line of the engine's standard output, made readable.
  [[nodiscard]] std::string heard(std::string line);

  /// A line for the engine, or several with LF between them: a `setoption` of what it declared in Shift_JIS has the name in
  /// the bytes of that declaration, and its value in Shift_JIS. Anything else stays as it is.
  [[nodiscard]] std::string told(std::string lines) const;

 private:
  void told_one(std::string_view line, std::string& out) const;

  std::map<std::string, std::string, std::less<>> options_;  ///< the bytes of each such name; at most Session::options_max
};

}  // namespace kakehashi::usi
