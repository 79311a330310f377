#include "shogi/record/one_line.hpp"

#include "shogi/record/utf8.hpp"

namespace kakehashi::shogi::record {

std::string one_line(std::string_view text, OtherBytes others, std::size_t bytes_max) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = utf8_at(text, at);
    const std::size_t length = character ? character->length_bytes : 1;
    if (line.size() + length > bytes_max) {
      break;
    }
    if (character && is_control(character->code)) {
      line += ' ';
    } else if (!character && others == OtherBytes::replace) {
      line += '?';
    } else {
      line += text.substr(at, length);
    }
    at += length;
  }
  return line;
}

}  // namespace kakehashi::shogi::record
