// File names of records from a template. Every part comes from outside: names and game ids are
// made safe, so that no record leaves its directory or hides in it.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace kakehashi::shogi::record {

/// What may stand in braces in a template. datetime, title, sente and gote are ShogiHome's words for "date_time",
/// game_id, black and white.
struct FileNameParts {
  std::string date;       ///< "20261121"
  std::string time;       ///< "030405"
  std::string game_id;
  std::string black;
  std::string white;
  std::string game_name;
  std::string hex5;       ///< "0A3F7", told apart from other games'
  std::string ply;        ///< how many moves there were; empty: the game goes on
};
inline constexpr std::array<std::string_view, 12> file_name_placeholders{
    "date",     "time",  "game_id", "black", "white", "game_name",
    "datetime", "title", "sente",   "gote",  "hex5", "ply"};

/// The template with its placeholders filled in. {_x} and {x_} stand for the value with "_" before or
/// behind it, and for nothing where there is none. Of the values, letters, digits, ". _ + @ -" and
/// visible UTF-8 characters stay; of the template, what every system takes in a name and no shell
/// replaces; the rest becomes "_". Never empty, no dot or dash in front, no "..", no space at either end, at most
/// 200 bytes. Of unknown placeholders, which config refuses, only the braces change.
[[nodiscard]] std::string file_name(std::string_view name_template, const FileNameParts& parts);

}  // namespace kakehashi::shogi::record
