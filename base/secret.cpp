#include "base/secret.hpp"

#include <cstring>

namespace kakehashi::base {

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    text_ = other.text_;
  }
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    text_ = std::move(other.text_);
    other.wipe();
  }
  return *this;
}

void Secret::wipe() noexcept {
  // Growing to the capacity first reaches bytes that an earlier, longer text may have left.
  text_.resize(text_.capacity());
  explicit_bzero(text_.data(), text_.size());
  text_.clear();
}

}  // namespace kakehashi::base
