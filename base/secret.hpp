// A text that must never be seen: it cannot be printed, formatted, compared or copied by accident,
// and its memory is wiped when it goes. Where it comes from (file, environment, systemd
// credential) is config's business.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace kakehashi::base {

/// Overwrites a text that held a secret on its way, and empties it.
void wipe(std::string& text) noexcept;

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = default;
  Secret& operator=(const Secret& other);
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { base::wipe(other.text_); }
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { base::wipe(text_); }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// The text itself, for the one line that must carry it. Never log what this returns.
  [[nodiscard]] std::string_view reveal() const { return text_; }

  /// The text with `mask` for every place where this secret stands in it. A secret of less than
  /// `hidden_bytes_min` bytes stands in ordinary texts by chance, and is not looked for.
  [[nodiscard]] std::string hide_in(std::string text) const;
  [[nodiscard]] bool stands_in(std::string_view text) const;

  static constexpr const char* mask = "****";
  static constexpr std::size_t hidden_bytes_min = 4;

 private:
  std::string text_;
};

}  // namespace kakehashi::base
