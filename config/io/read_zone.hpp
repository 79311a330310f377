// What a zone's name stands for on this machine. Reads files; what they mean is time_zone's business.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "config/game_config.hpp"

namespace kakehashi::config::io {

/// "local" is $TZ where it names a zone, else /etc/localtime, else UTC. The error is the end of a
/// sentence.
[[nodiscard]] base::Result<std::vector<ZoneOffset>> read_zone(const std::string& name, base::WallTime now);

}  // namespace kakehashi::config::io
