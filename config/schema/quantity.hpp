// Durations and sizes as people write them in a configuration, "1.5s" and "10MB", and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"

namespace kakehashi::config {

/// A number with its unit: ms, s, min or h; decimals allowed down to a millisecond. A bare number
/// is an error that says which unit to write: 5 could be anything.
[[nodiscard]] base::Result<base::Millis> read_duration(std::string_view text);

/// "250ms", "1.5s", "2min", "1h": the shortest form that read_duration takes.
[[nodiscard]] std::string spell_duration(base::Millis duration);

/// A number of bytes, or a number with its unit: B, kB, MB, GB (1000) or KiB, MiB, GiB (1024).
[[nodiscard]] base::Result<std::uint64_t> read_size(std::string_view text);

/// "10MB", "64KiB", "0".
[[nodiscard]] std::string spell_size(std::uint64_t bytes);

}  // namespace kakehashi::config
