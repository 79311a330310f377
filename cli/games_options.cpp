#include "cli/games_options.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "base/io/clocks.hpp"
#include "cli/load_config.hpp"
#include "config/io/load_files.hpp"
#include "games/io/archive_writer.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

constexpr const char* default_archive = "records/games.db";

struct Condition {
  const char* option;
  const char* name;
  const char* type;
  base::Message help;
};
std::vector<Condition> known_conditions() {
  return {
      {"--opponent", "opponent", "NAME", say("Only games against NAME; a * stands for anything")},
      {"--bot", "bot", "NAME", say("Only games of this bot")},
      {"--game-name", "game", "NAME", say("Only games of this name, such as floodgate-300-10F")},
      {"--color", "color", "black|white", say("Only games with this color of ours")},
      {"--result", "result", "win|lose|draw|none", say("Only games that ended so for us")},
      {"--since", "since", "WHEN", say("Only games begun then or later: 2026-01-31, 2026-01-31T18:00 (UTC), 7d, 12h")},
      {"--until", "until", "WHEN", say("Only games begun before")},
  };
}

}  // namespace

std::optional<std::string> GamesOptions::file(const Terminal& terminal) const {
  if (!archive.empty() || config.empty()) {
    return archive.empty() ? default_archive : archive;
  }
  const auto bot = load_config(config, config::io::Passwords::leave, terminal);
  if (!bot) {
    return std::nullopt;
  }
  std::string named = games::io::archive_file(*bot);
  if (named.empty()) {
    terminal.fault(say("{}: archive.enabled is false; name a file with --archive", config));
    return std::nullopt;
  }
  return named;
}

std::optional<games::io::Archive> GamesOptions::open(const Terminal& terminal) const {
  const auto path = file(terminal);
  if (!path) {
    return std::nullopt;
  }
  std::error_code failed;
  if (!std::filesystem::exists(*path, failed) && !failed) {
    terminal.fault(say("there is no archive {}, which a bot makes when its first game is over; name another with --archive "
                       "FILE or --config CONFIG", *path));
    return std::nullopt;
  }
  auto opened = games::io::Archive::open(*path, games::io::Archive::Access::read);
  if (!opened) {
    terminal.fault(say("{}; name another with --archive FILE or --config CONFIG", opened.error().text));
    return std::nullopt;
  }
  return std::move(*opened);
}

std::optional<games::GameFilter> GamesOptions::filter(const Terminal& terminal) const {
  games::GameFilter wanted;
  const auto now_ms = base::io::read_clocks().wall.time_since_epoch().count();
  for (const auto& [name, value] : conditions) {
    if (const auto why = games::set_condition(wanted, name, value, now_ms)) {
      terminal.fault(*why);
      return std::nullopt;
    }
  }
  return wanted;
}

void add_archive_options(CLI::App& command, GamesOptions& options) {
  command.add_option("--archive", options.archive, say("The archive; else records/games.db").english())->type_name("FILE");
  command.add_option("--config", options.config, say("Take the archive of this bot's configuration").english())->type_name("CONFIG");
}

void add_filter_options(CLI::App& command, GamesOptions& options) {
  for (const Condition& condition : known_conditions()) {
    command
        .add_option_function<std::string>(
            condition.option,
            [&options, name = condition.name](const std::string& value) {
              options.conditions.emplace_back(name, value);
            },
            condition.help.english())
        ->type_name(condition.type);
  }
}

}  // namespace kakehashi::cli
