// Words that have no language, such as keys and the names of commands, beside each other as a language lists them. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/message.hpp"

namespace kakehashi::base {

/// "a, b, c".
[[nodiscard]] inline Message listed_words(std::span<const std::string> words) {
  std::vector<Message> messages;
  messages.reserve(words.size());
  for (const std::string& word : words) {
    messages.push_back(verbatim(word));
  }
  return listed(messages);
}

}  // namespace kakehashi::base
