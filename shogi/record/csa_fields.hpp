// What CSA records say about a game as a whole: names, "$" fields, and the comments in which
// shogi-server and our V2.2 writer put what that version has no field for.
#pragma once

#include <optional>
#include <string_view>

#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// "N+name" or "N-name".
void read_name(std::string_view statement, Record& record);

/// "EVENT:…", a field without its "$". Dates are local to record.utc_offset. Unknown fields are
/// left out; values that cannot be read count as not told.
void read_field(std::string_view field, Record& record);

/// "Max_Moves:256", "Increment:10", "$TIME:90+0+5", a comment in front of the moves without its
/// apostrophe. False when it is none of these.
[[nodiscard]] bool read_field_comment(std::string_view comment, Record& record);

/// "52 -3334FU +2726FU #3456" of a "'** " comment; nothing when it does not begin with a score.
[[nodiscard]] std::optional<Evaluation> parse_evaluation(std::string_view text);

}  // namespace kakehashi::shogi::record
