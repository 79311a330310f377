// The reference of all keys as Markdown, made from describe's table: docs/configuration.md and its
// Japanese counterpart, and what `kakehashi config reference` prints.
#pragma once

#include <string>

namespace kakehashi::config {

/// The whole page, ending with a newline.
[[nodiscard]] std::string reference();
[[nodiscard]] std::string japanese_reference();

}  // namespace kakehashi::config
