// The page of all keys in the words of one language: reference.cpp and reference_japanese.cpp have them.
#pragma once

#include <string>

namespace kakehashi::config {

struct PageWords {
  const char* introduction;
  const char* top_level;   ///< the heading of the keys that belong to no section
  const char* columns;     ///< the first line of a table of keys
  const char* ending;      ///< behind the keys, down to the head of the table of conditions
  const char* settable;    ///< before the keys that a rule can set
  const char* comma;       ///< between them
  const char* full_stop;   ///< behind the last
  /// A type, a default or an accepted range, from the English.
  std::string (*phrase)(const std::string& english);
  /// What a key ("server.port"), a section ("[server]") or a condition ("when.opponent") means, from
  /// its name and the English.
  std::string (*meaning)(const std::string& name, const std::string& english);
};

/// The whole page, ending with a newline.
[[nodiscard]] std::string reference_page(const PageWords& words);

}  // namespace kakehashi::config
