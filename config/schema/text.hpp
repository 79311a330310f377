// What people read about settings, in the languages of the reference.
#pragma once

namespace kakehashi::config {

enum class Language { english, japanese };

struct Text {
  const char* english = "";
  const char* japanese = "";  ///< empty: as in English

  [[nodiscard]] const char* in(Language language) const {
    return language == Language::english || *japanese == '\0' ? english : japanese;
  }
  [[nodiscard]] bool empty() const { return *english == '\0'; }
};

}  // namespace kakehashi::config
