// What the table of keys says, in Japanese: one text for each key, section and condition, and the
// words of the other columns. docs/configuration.ja.md is made of it; a test finds what is missing.
#pragma once

#include <string>
#include <string_view>

namespace kakehashi::config {

/// The explanation of a key ("server.port"), a section ("[server]") or a condition of a rule
/// ("when.opponent"); empty where there is none.
[[nodiscard]] std::string_view japanese_text(std::string_view name);

/// A type, a default or an accepted range; the English where it needs no other words.
[[nodiscard]] std::string japanese_phrase(const std::string& english);

}  // namespace kakehashi::config
