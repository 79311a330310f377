#include "base/line_splitter.hpp"

#include <utility>

namespace kakehashi::base {

LineSplitter::Fed LineSplitter::feed(std::string_view bytes) {
  Fed fed;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (!discarding_) {
      if (piece.find('\0') != std::string_view::npos) {
        fed.trouble = Trouble::nul_byte;
        discarding_ = true;
      } else if (partial_.size() + piece.size() > line_bytes_max_) {
        fed.trouble = Trouble::line_too_long;
        discarding_ = true;
      } else {
        partial_.append(piece);
      }
      if (discarding_) {
        partial_ = {};
      }
    }
    if (end == std::string_view::npos) {
      return fed;
    }
    if (!discarding_) {
      if (partial_.ends_with('\r')) {
        partial_.pop_back();
      }
      fed.lines.push_back(std::exchange(partial_, {}));
    }
    discarding_ = false;
    bytes.remove_prefix(end + 1);
  }
  return fed;
}

std::string LineSplitter::take_unfinished() {
  discarding_ = false;
  if (partial_.ends_with('\r')) {
    partial_.pop_back();
  }
  return std::exchange(partial_, {});
}

}  // namespace kakehashi::base
