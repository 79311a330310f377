// A text that must never be seen: it cannot be printed, formatted, compared or copied by accident,
// and its memory is wiped when it goes. Where it comes from (file, environment, systemd
// credential) is config's business.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace kakehashi::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = default;
  Secret& operator=(const Secret& other);
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// The text itself, for the one line that must carry it. Never log what this returns.
  [[nodiscard]] std::string_view reveal() const { return text_; }

 private:
  void wipe() noexcept;

  std::string text_;
};

}  // namespace kakehashi::base
