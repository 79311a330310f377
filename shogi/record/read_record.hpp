// Reads a record of any format: finds out which it is from what stands in it, and where that does
// not tell, from its file's name. The text is UTF-8; the shell knows about encodings.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/format.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// Longer texts and lines are no records of games.
inline constexpr std::size_t record_bytes_max = 64'000'000;
inline constexpr std::size_t record_line_bytes_max = 4'000'000;

/// `name` may be a path, a bare name, or empty. Of formats that differ in encoding only, the one
/// in UTF-8; CSA is csa whatever its version.
[[nodiscard]] std::optional<Format> detect_format(std::string_view text, std::string_view name);

/// The games of a text; at least one. Errors name the line and the reason.
[[nodiscard]] base::Result<std::vector<Record>> read_records(std::string_view text, Format format,
                                                             std::chrono::minutes utc_offset);

}  // namespace kakehashi::shogi::record
