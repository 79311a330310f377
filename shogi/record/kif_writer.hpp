// Writes KIF and KI2 records, in UTF-8; the shell turns the text of .kif and .ki2 files into
// Shift_JIS. KIF knows whole seconds, KI2 no times at all.
// Source: Kakinoki's description of the KIF format.
#pragma once

#include <string>

#include "shogi/record/model.hpp"
#include "shogi/record/search_comment.hpp"

namespace kakehashi::shogi::record {

/// Which encoding the first line of a KIF file names: the one it will be stored in.
enum class KifEncoding { shift_jis, utf8 };

[[nodiscard]] std::string write_kif(const Record& record, KifEncoding encoding,
                                    CommentStyle comments);

/// Six moves a line. Comments on the ending stand before the ending's sentence: readers know none
/// behind it.
[[nodiscard]] std::string write_ki2(const Record& record, CommentStyle comments);

}  // namespace kakehashi::shogi::record
