// Games out of an archive and into it, as files.
#pragma once

#include <string>

#include "bridge/archive/game_filter.hpp"
#include "bridge/archive/io/archive.hpp"

namespace kakehashi::bridge::cli {

/// "csa, csa3, …": what `to` may be besides csv and json.
[[nodiscard]] std::string export_formats();

/// Every game that the filter lets through, whatever its limit. Returns the exit status.
[[nodiscard]] int export_games(archive::io::Archive& archive, const archive::GameFilter& filter,
                               const std::string& to, const std::string& output);

/// Every record below the directory in which `us` played. Returns the exit status.
[[nodiscard]] int import_games(const std::string& archive_path, const std::string& directory,
                               const std::string& us);

}  // namespace kakehashi::bridge::cli
