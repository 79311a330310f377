#include "cli/games_options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/io/clocks.hpp"
#include "cli/load_config.hpp"
#include "config/io/load_files.hpp"
#include "games/io/archive_writer.hpp"

namespace kakehashi::cli {
namespace {

constexpr const char* default_archive = "records/games.db";

struct Condition {
  const char* option;
  const char* name;
  const char* type;
  const char* help;
};
constexpr std::array known_conditions{
    Condition{"--opponent", "opponent", "NAME", "Only games against NAME; a * stands for anything"},
    Condition{"--bot", "bot", "NAME", "Only games of this bot"},
    Condition{"--game-name", "game", "NAME", "Only games of this name, such as floodgate-300-10F"},
    Condition{"--color", "color", "black|white", "Only games with this color of ours"},
    Condition{"--result", "result", "win|lose|draw|none", "Only games that ended so for us"},
    Condition{"--since", "since", "WHEN", "Only games begun then or later: 2026-01-31, 2026-01-31T18:00 (UTC), 7d, 12h"},
    Condition{"--until", "until", "WHEN", "Only games begun before"},
};

}  // namespace

std::optional<std::string> GamesOptions::file() const {
  if (!archive.empty() || config.empty()) {
    return archive.empty() ? default_archive : archive;
  }
  const auto bot = load_config(config, config::io::Passwords::leave);
  if (!bot) {
    return std::nullopt;
  }
  std::string named = games::io::archive_file(*bot);
  if (named.empty()) {
    std::cerr << "kakehashi: " << config << ": archive.enabled is false; name a file with --archive\n";
    return std::nullopt;
  }
  return named;
}

std::optional<games::io::Archive> GamesOptions::open() const {
  const auto path = file();
  if (!path) {
    return std::nullopt;
  }
  std::error_code failed;
  if (!std::filesystem::exists(*path, failed) && !failed) {
    std::cerr << "kakehashi: there is no archive " << *path << ", which a bot makes when its first game is over; "
              << "name another with --archive FILE or --config CONFIG\n";
    return std::nullopt;
  }
  auto opened = games::io::Archive::open(*path, games::io::Archive::Access::read);
  if (!opened) {
    std::cerr << "kakehashi: " << opened.error().text << "; name another with --archive FILE or --config CONFIG\n";
    return std::nullopt;
  }
  return std::move(*opened);
}

std::optional<games::GameFilter> GamesOptions::filter() const {
  games::GameFilter wanted;
  const auto now_ms = base::io::read_clocks().wall.time_since_epoch().count();
  for (const auto& [name, value] : conditions) {
    if (const auto why = games::set_condition(wanted, name, value, now_ms)) {
      std::cerr << "kakehashi: " << *why << "\n";
      return std::nullopt;
    }
  }
  return wanted;
}

void add_archive_options(CLI::App& command, GamesOptions& options) {
  command.add_option("--archive", options.archive, std::string("The archive; else ") + default_archive)->type_name("FILE");
  command.add_option("--config", options.config, "Take the archive of this bot's configuration")->type_name("CONFIG");
}

void add_filter_options(CLI::App& command, GamesOptions& options) {
  for (const Condition& condition : known_conditions) {
    command
        .add_option_function<std::string>(
            condition.option,
            [&options, name = condition.name](const std::string& value) {
              options.conditions.emplace_back(name, value);
            },
            condition.help)
        ->type_name(condition.type);
  }
}

}  // namespace kakehashi::cli
