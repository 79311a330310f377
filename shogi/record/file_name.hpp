// File names of records from a template. Every part comes from outside: names and game ids are
// made safe, so that no record leaves its directory or hides in it.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace kakehashi::shogi::record {

/// What may stand in braces in a template.
struct FileNameParts {
  std::string date;       ///< "20261121"
  std::string time;       ///< "030405"
  std::string game_id;
  std::string black;
  std::string white;
  std::string game_name;
};
inline constexpr std::array<std::string_view, 6> file_name_placeholders{
    "date", "time", "game_id", "black", "white", "game_name"};

/// The template with its placeholders filled in, each part made safe: letters, digits, ". _ + @ -"
/// and other characters beyond ASCII stay, the rest becomes "_". Never empty, never beginning with
/// a dot, at most 200 bytes. Unknown placeholders stay as they are written.
[[nodiscard]] std::string file_name(std::string_view name_template, const FileNameParts& parts);

}  // namespace kakehashi::shogi::record
