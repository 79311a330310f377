// Records as files: the formats by name (which word a person writes for each, which ending its files have), the one door
// through which a record becomes text and the one through which a text of any format becomes records, and what files are
// named. The formats themselves stand beside it; only that of one line for each game, which knows the start and the moves
// and nothing else ("position startpos moves 7g7f 3c3d": USI protocol, "position"), is here.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

enum class Format { csa, csa3, kif, kifu, ki2, ki2u, jkf, usi, jsonl };

struct FormatFacts {
  Format format;
  const char* word;       ///< in configurations and on command lines
  const char* extension;  ///< with its dot
  bool is_shift_jis;      ///< by custom; all others are UTF-8
  const char* name;       ///< for people
};
inline constexpr std::array formats{
    FormatFacts{Format::csa, "csa", ".csa", false, "CSA V2.2"},
    FormatFacts{Format::csa3, "csa3", ".csa", false, "CSA V3.0"},
    FormatFacts{Format::kif, "kif", ".kif", true, "KIF (Shift_JIS)"},
    FormatFacts{Format::kifu, "kifu", ".kifu", false, "KIF (UTF-8)"},
    FormatFacts{Format::ki2, "ki2", ".ki2", true, "KI2 (Shift_JIS)"},
    FormatFacts{Format::ki2u, "ki2u", ".ki2u", false, "KI2 (UTF-8)"},
    FormatFacts{Format::jkf, "jkf", ".jkf", false, "JSON Kifu Format"},
    FormatFacts{Format::usi, "usi", ".usi", false, "USI position"},
    FormatFacts{Format::jsonl, "jsonl", ".jsonl", false, "JSON Lines"},
};

[[nodiscard]] constexpr const FormatFacts& facts_of(Format format) {
  return formats[static_cast<std::size_t>(format)];
}
[[nodiscard]] std::optional<Format> format_of_word(std::string_view word);

/// The whole record, in UTF-8 also where its files are in Shift_JIS.
[[nodiscard]] std::string write_record(const Record& record, Format format, CommentStyle comments);

// --- reading: finds out which format it is from what stands in the text, and where that does not tell, from its file's
// name. The text is UTF-8; the shell knows about encodings.

/// Longer texts and lines are no records of games.
inline constexpr std::size_t record_bytes_max = 64'000'000;
inline constexpr std::size_t record_line_bytes_max = 4'000'000;

/// `name` may be a path, a bare name, or empty. Of formats that differ in encoding only, the one
/// in UTF-8; CSA is csa whatever its version.
[[nodiscard]] std::optional<Format> detect_format(std::string_view text, std::string_view name);

/// The games of a text; at least one. Errors name the line and the reason.
[[nodiscard]] base::Result<std::vector<Record>> read_records(std::string_view text, Format format,
                                                             std::chrono::minutes utc_offset);

/// A line of Format::usi: "position startpos moves …", "position sfen …", the same without "position", or an SFEN alone;
/// "resign" and "win" may stand as the last move. Errors begin with `place`.
[[nodiscard]] base::Result<Record> read_usi_line(std::string_view line, base::Message place);

// --- file names from a template. Every part comes from outside: names and game ids are made safe, so that no record
// leaves its directory or hides in it.

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
