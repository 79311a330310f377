// Foreign JSON, taken apart without trust: a bounded parser whose errors name the line, and members
// that are there or not. For the JSON formats beside it.
#pragma once

#include <boost/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace kakehashi::shogi::record {

/// At most 32 levels deep. `first_line` is the number of the text's first line.
[[nodiscard]] base::Result<boost::json::value> parse_json(std::string_view text,
                                                          std::size_t first_line = 1);

/// The member of that name; nullptr when there is none, it is null, or this is no object.
[[nodiscard]] const boost::json::value* member(const boost::json::value* object,
                                               std::string_view name);
/// Nothing when it is absent or of another kind.
[[nodiscard]] std::optional<std::string> text_member(const boost::json::value* object,
                                                     std::string_view name);
[[nodiscard]] std::optional<std::int64_t> whole_member(const boost::json::value* object,
                                                       std::string_view name);
[[nodiscard]] bool is_true(const boost::json::value* object, std::string_view name);

}  // namespace kakehashi::shogi::record
