#include "base/secret.hpp"

#include <cstring>

namespace kakehashi::base {

void wipe(std::string& text) noexcept {
  // Growing to the capacity first reaches bytes that an earlier, longer text may have left.
  text.resize(text.capacity());
  explicit_bzero(text.data(), text.size());
  text.clear();
}

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    base::wipe(text_);
    text_ = other.text_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    base::wipe(text_);
    text_ = std::move(other.text_);
    base::wipe(other.text_);
  }
  return *this;
}

bool Secret::stands_in(std::string_view text) const {
  return text_.size() >= hidden_bytes_min && text.find(text_) != std::string_view::npos;
}

std::string Secret::hide_in(std::string text) const {
  if (!stands_in(text)) {
    return text;
  }
  const std::string_view stars(mask);
  for (std::size_t at = 0; (at = text.find(text_, at)) != std::string::npos; at += stars.size()) {
    text.replace(at, text_.size(), stars);
  }
  return text;
}

}  // namespace kakehashi::base
