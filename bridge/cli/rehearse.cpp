// `kakehashi rehearse`: the configured engine against itself, or against another configuration's.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "bridge/cli/command_line.hpp"
#include "bridge/cli/exit_status.hpp"
#include "bridge/cli/load_config.hpp"
#include "bridge/cli/log_options.hpp"
#include "bridge/cli/rehearsal_pair.hpp"
#include "bridge/cli/rehearsal_show.hpp"
#include "rehearsal/game_name.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr int games_max = 100'000;

struct RehearseOptions {
  std::string config;
  std::string config2;
  std::string game_name = RehearsalPlan().game_name;
  int games = 1;
  bool watch = is_terminal_output();
  LogOptions log;
};

/// The show has standard output; of the log only what matters joins it, unless asked for.
void quieten(config::Log& log, const RehearseOptions& options) {
  if (log.file.empty()) {
    log.level = options.watch ? config::LogLevel::error : config::LogLevel::warn;
  }
  options.log.apply_to(log);
}

int rehearse(const RehearseOptions& options) {
  const auto game_name = rehearsal::parse_game_name(options.game_name);
  if (!game_name) {
    std::cerr << "kakehashi: --game-name: " << base::quote_for_log(options.game_name)
              << " is no game name; it reads LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF\n";
    return exit_usage;
  }
  auto first = load_config(options.config, false);
  auto second = options.config2.empty() ? first : load_config(options.config2, false);
  if (!first || !second) {
    return exit_config;
  }
  RehearsalPlan plan;
  plan.configs = {std::move(*first), std::move(*second)};
  plan.game_name = options.game_name;
  plan.games = options.games;
  plan.seed = std::random_device()();
  quieten(plan.configs[0].log, options);

  RehearsalShow show(std::cout, options.games, options.watch, look_of_environment());
  const int status = play_rehearsal(plan, show);
  const auto names = prepare_configs(plan, 0);
  show.tell_results(names[0].account.name, names[1].account.name);
  return status;
}

}  // namespace

void register_rehearse(CLI::App& app, int& status) {
  auto* command = app.add_subcommand(
      "rehearse", "Play the engine against itself on an embedded server, on this machine");
  // Shared by the option readers and the callback, which outlive this function.
  const auto options = std::make_shared<RehearseOptions>();
  command->add_option("CONFIG", options->config, "Configuration of one side")->required();
  command->add_option("CONFIG2", options->config2, "Configuration of the other side, if another");
  command->add_option("--games", options->games, "How many games")
      ->check(CLI::Range(1, games_max))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--game-name", options->game_name,
                   "The clock: LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_flag("--watch,!--no-watch", options->watch,
                    "Show the board, redrawn in place; the default on a terminal");
  add_log_options(*command, options->log);
  command->footer(
      "\nServer, account and game name of the configuration are not used: nothing leaves this "
      "machine. Each side writes its own record.");
  command->callback([options, &status] { status = rehearse(*options); });
}

}  // namespace kakehashi::bridge::cli
