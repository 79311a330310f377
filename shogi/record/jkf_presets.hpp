// The names that JSON Kifu Format has for customary starts. Source: its schema, "preset".
#pragma once

#include <optional>
#include <string_view>

#include "shogi/position.hpp"

namespace kakehashi::shogi::record {

/// "HIRATE", "KY", "2" …; nothing for other positions, and for names that tsshogi does not read
/// (three, five and seven pieces).
[[nodiscard]] std::optional<std::string_view> jkf_preset(const Position& position);
/// All names of the schema but "OTHER".
[[nodiscard]] std::optional<Position> jkf_preset_position(std::string_view preset);

}  // namespace kakehashi::shogi::record
