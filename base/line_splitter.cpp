#include "base/line_splitter.hpp"

#include <functional>
#include <utility>

namespace kakehashi::base {

namespace {

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

LineSplitter::Fed LineSplitter::feed(std::string_view bytes) {
  Fed fed;
  // Rare, so looked for once and not line by line.
  const bool has_nul = bytes.find('\0') != std::string_view::npos;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (!discarding_) {
      if (has_nul && piece.find('\0') != std::string_view::npos) {
        fed.trouble = Trouble::nul_byte;
        discarding_ = true;
      } else if (partial_.size() + piece.size() > line_bytes_max_) {
        fed.trouble = Trouble::line_too_long;
        discarding_ = true;
      }
      if (discarding_) {
        ++fed.broken;
        partial_ = {};
      }
    }
    if (end == std::string_view::npos) {
      if (!discarding_) {
        partial_.append(piece);
      }
      return fed;
    }
    if (!discarding_ && partial_.empty()) {
      fed.lines.push_back(without_cr(piece));
    } else if (!discarding_) {
      joined_ = std::exchange(partial_, {}).append(piece);
      fed.lines.push_back(without_cr(joined_));
    }
    discarding_ = false;
    bytes.remove_prefix(end + 1);
  }
  return fed;
}

std::size_t LineSplitter::end_of(std::string_view line, std::string_view bytes) {
  const bool is_joined = std::less<>()(line.data(), bytes.data()) || !std::less<>()(line.data(), bytes.data() + bytes.size());
  // One that began in earlier bytes is the first whose end stands in these.
  return bytes.find('\n', is_joined ? 0 : static_cast<std::size_t>(line.data() - bytes.data()) + line.size()) + 1;
}

std::string LineSplitter::take_unfinished() {
  discarding_ = false;
  return std::string(without_cr(std::exchange(partial_, {})));
}

}  // namespace kakehashi::base
