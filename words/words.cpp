#include "words/words.hpp"

namespace kakehashi::words {

Language language_of_locale(const char* lc_all, const char* lc_messages, const char* lang) {
  for (const char* name : {lc_all, lc_messages, lang}) {
    if (name != nullptr && *name != '\0') {
      const std::string_view locale(name);
      return locale == "ja" || locale.starts_with("ja_") || locale.starts_with("ja.") ? Language::japanese
                                                                                       : Language::english;
    }
  }
  return Language::english;
}

}  // namespace kakehashi::words
