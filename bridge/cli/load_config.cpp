#include "bridge/cli/load_config.hpp"

#include <iostream>
#include <utility>

#include "config/io/load_files.hpp"

namespace kakehashi::bridge::cli {
using config::io::Passwords;

std::optional<std::vector<config::BotConfig>> told(config::Loaded loaded) {
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

std::optional<config::BotConfig> load_config(const std::string& path, Passwords passwords) {
  auto bots = told(config::io::load_files({path}, passwords));
  return bots ? std::optional(std::move(bots->front())) : std::nullopt;
}

std::optional<std::vector<config::BotConfig>> load_configs(const std::vector<std::string>& paths) {
  return told(config::io::load_files(paths, Passwords::read));
}

}  // namespace kakehashi::bridge::cli
