// `kakehashi rehearse`: the configured engine against itself, or against another configuration's.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
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
  std::string game_name;  ///< empty: see default_game_name()
  int games = 1;
  int max_moves = RehearsalPlan().max_moves;
  std::int64_t least_time_s = RehearsalPlan().least_time_s;
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

/// The configured game, but for floodgate's: nobody wants to wait that long on a first try. A
/// wish for a colour is left out, for it would be both bots' wish.
std::string default_game_name(const config::BotConfig& config) {
  std::string_view name = config.game.name;
  (void)rehearsal::take_color_suffix(name);
  const auto parsed = rehearsal::parse_game_name(name);
  return parsed && !parsed->is_floodgate ? parsed->text : RehearsalPlan().game_name;
}

int rehearse(const RehearseOptions& options) {
  if (!options.game_name.empty() && !rehearsal::parse_game_name(options.game_name)) {
    std::cerr << "kakehashi: --game-name: " << base::quote_for_log(options.game_name)
              << " is no game name; it reads LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF\n";
    return exit_usage;
  }
  // No password is needed here: the embedded server is told one of its own.
  const auto leave = config::io::Passwords::leave;
  auto first = load_config(options.config, leave);
  auto second = options.config2.empty() ? first : load_config(options.config2, leave);
  if (!first || !second) {
    return exit_config;
  }
  RehearsalPlan plan;
  plan.game_name = options.game_name.empty() ? default_game_name(*first) : options.game_name;
  plan.configs = {std::move(*first), std::move(*second)};
  plan.games = options.games;
  plan.max_moves = options.max_moves;
  plan.least_time_s = options.least_time_s;
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
                   "The clock: LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF; the default is the "
                   "configured one, or " +
                       RehearsalPlan().game_name + " instead of floodgate's")
      ->type_name("NAME");
  command->add_option("--max-moves", options->max_moves, "A draw after that many moves; 0: never")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--least-time", options->least_time_s, "Least seconds that a move is charged")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_flag("--watch,!--no-watch", options->watch,
                    "Show the board, redrawn in place; the default on a terminal");
  add_log_options(*command, options->log);
  command->footer(
      "\nThe server and the password of the configuration are not used: nothing leaves this "
      "machine. Each side writes its own record.");
  command->callback([options, &status] { status = rehearse(*options); });
}

}  // namespace kakehashi::bridge::cli
