#include "bridge/io/record_bytes.hpp"

#include "bridge/io/shift_jis.hpp"

namespace kakehashi::bridge::io {

std::string with_newlines(std::string_view text, config::Newline newline) {
  if (newline == config::Newline::lf) {
    return std::string(text);
  }
  std::string converted;
  for (const char c : text) {
    converted += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  return converted;
}

base::Result<std::string> stored(const RecordFile& file, config::Newline newline) {
  auto text = with_newlines(file.text, newline);
  return file.is_shift_jis ? to_shift_jis(text) : base::Result<std::string>(std::move(text));
}

}  // namespace kakehashi::bridge::io
