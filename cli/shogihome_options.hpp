// The options by which commands take ShogiHome's settings as they are, and its bridge's own options
// that override them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/lines.hpp"
#include "config/bot_config.hpp"
#include "config/io/load_shogihome.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

struct ShogiHomeOptions {
  std::vector<std::string> settings;
  std::vector<std::string> packed;  ///< "@FILE", or as the others
  std::map<std::string, std::string> changes;  ///< by flag: "--host"

  [[nodiscard]] bool are_given() const { return !settings.empty() || !packed.empty(); }
};

enum class ShogiHomeChanges { taken, not_taken };

/// `options` must live until the command line has been read. A password, or settings that hold one,
/// are refused as an argument: every user of the machine can see those.
void add_shogihome_options(CLI::App& command, ShogiHomeOptions& options, ShogiHomeChanges changes);

/// Where the settings are, as the options say.
[[nodiscard]] std::vector<std::string> origins_of(const ShogiHomeOptions& options);

/// All of them, or nothing after the problems of every one were told.
[[nodiscard]] std::optional<std::vector<config::BotConfig>> load_shogihome_configs(
    const ShogiHomeOptions& options, const Terminal& terminal);

}  // namespace kakehashi::cli
