#include "bridge/cli/load_config.hpp"

#include <iostream>
#include <utility>

#include "config/io/load_files.hpp"

namespace kakehashi::bridge::cli {
namespace {

using config::io::Passwords;

std::optional<std::vector<config::BotConfig>> load(const std::vector<std::string>& paths,
                                                   Passwords passwords) {
  auto loaded = config::io::load_files(paths, passwords);
  for (const auto& warning : loaded.warnings) {
    std::cerr << "warning: " << config::describe(warning) << '\n';
  }
  for (const auto& problem : loaded.problems) {
    std::cerr << config::describe(problem) << '\n';
  }
  if (!loaded.problems.empty()) {
    return std::nullopt;
  }
  return std::move(loaded.bots);
}

}  // namespace

std::optional<config::BotConfig> load_config(const std::string& path, Passwords passwords) {
  auto bots = load({path}, passwords);
  return bots ? std::optional(std::move(bots->front())) : std::nullopt;
}

std::optional<std::vector<config::BotConfig>> load_configs(const std::vector<std::string>& paths) {
  return load(paths, Passwords::read);
}

}  // namespace kakehashi::bridge::cli
