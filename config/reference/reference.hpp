// The room config/reference: what people read about all settings, made from the table of schema/keys. It owns the
// words around the table, and no setting; it reads and writes no file.
//
// Here: the reference of all keys as Markdown. It is docs/configuration.md and its Japanese counterpart, and what
// `kakehashi config reference` prints.
#pragma once

#include <string>

#include "words/words.hpp"

namespace kakehashi::config {

/// The whole page, ending with a newline.
[[nodiscard]] std::string reference(words::Language language);

// The commented example for floodgate: the few lines that play, then every other setting with its
// default, made from describe's table. It is config/floodgate.example.yaml.
/// The whole file, ending with a newline.
[[nodiscard]] std::string floodgate_example();

}  // namespace kakehashi::config
