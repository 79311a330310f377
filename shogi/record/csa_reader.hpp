// Reads CSA game records, V1 to V3.0, of any program. Bytes of names and comments are passed
// through as they are; nothing in a file can do more than give an error that names its line.
// Source: CSA record file format V2.2 (2008), V3.0 (2024).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "shogi/record/model.hpp"

namespace kakehashi::shogi::record {

/// The records of a file, which "/" lines separate. Errors begin with "line N: ". Every move must
/// be legal.
[[nodiscard]] base::Result<std::vector<Record>> read_csa(std::string_view text);

}  // namespace kakehashi::shogi::record
