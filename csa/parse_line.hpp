// Reads one server line. Total: every byte sequence gives some message, Unknown at worst.
#pragma once

#include <optional>
#include <string_view>

#include "csa/message.hpp"

namespace kakehashi::csa {

/// `line` without its LF; a trailing CR is tolerated.
[[nodiscard]] ServerMessage parse_line(std::string_view line);

/// "T12", "T3.5", "T1.": seconds on every known server, whatever Time_Unit says. Nothing when it
/// is not a time. Clamped to one day.
[[nodiscard]] std::optional<base::Millis> parse_consumed(std::string_view field);

}  // namespace kakehashi::csa
