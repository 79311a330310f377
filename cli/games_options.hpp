// Which archive and which of its games: the options that the commands below `kakehashi games` share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/lines.hpp"
#include "games/game_filter.hpp"
#include "games/io/archive.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

struct GamesOptions {
  std::string archive;
  std::string config;
  std::vector<std::pair<std::string, std::string>> conditions;  ///< of game_filter.hpp, as given

  /// Nothing after a complaint.
  [[nodiscard]] std::optional<std::string> file(const Terminal& terminal) const;
  [[nodiscard]] std::optional<games::io::Archive> open(const Terminal& terminal) const;
  [[nodiscard]] std::optional<games::GameFilter> filter(const Terminal& terminal) const;
};

/// The options must outlive the parsing.
void add_archive_options(CLI::App& command, GamesOptions& options);
void add_filter_options(CLI::App& command, GamesOptions& options);

}  // namespace kakehashi::cli
