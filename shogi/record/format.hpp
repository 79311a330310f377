// The formats of records by name: which word a person writes for each, which ending its files have,
// and the one door through which a record becomes text. The formats themselves stand beside it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace kakehashi::shogi::record
