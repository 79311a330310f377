// The room config/reference: the reference of all settings, made from the table of schema/keys. It owns no setting, and
// reads and writes no file.
//
// Here: the tables of all keys as Markdown. They end docs/configuration.md and its Japanese counterpart, and are what
// `kakehashi config reference` prints.
#pragma once

#include <string>

#include "words/words.hpp"

namespace kakehashi::config {

/// Ends with a newline.
[[nodiscard]] std::string reference(words::Language language);

}  // namespace kakehashi::config
