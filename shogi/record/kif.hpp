// Reads KIF and KI2 records of any program, in UTF-8. Variations (変化) are left out: the main line
// counts. Nothing in a file can do more than give an error that names its line.
// Source: Kakinoki's description of the KIF format.
//
// Writes KIF and KI2 records, in UTF-8; the shell turns the text of .kif and .ki2 files into
// Shift_JIS. KIF knows whole seconds, KI2 no times at all.
// Source: Kakinoki's description of the KIF format.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

/// Dates are taken as local to that offset from UTC. Errors begin with "line N: ". Every move must
/// be legal, but for a last one that a foul follows (game_builder.hpp).
[[nodiscard]] base::Result<Record> read_kif(std::string_view text, std::chrono::minutes utc_offset);
[[nodiscard]] base::Result<Record> read_ki2(std::string_view text, std::chrono::minutes utc_offset);

/// Which encoding the first line of a KIF file names: the one it will be stored in.
enum class KifEncoding { shift_jis, utf8 };

[[nodiscard]] std::string write_kif(const Record& record, KifEncoding encoding,
                                    CommentStyle comments);

/// Six moves a line. Comments on the ending stand before the ending's sentence: readers know none
/// behind it.
[[nodiscard]] std::string write_ki2(const Record& record, CommentStyle comments);

}  // namespace kakehashi::shogi::record
