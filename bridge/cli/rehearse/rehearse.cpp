// `kakehashi rehearse`: the configured engine against itself, or against another configuration's.
#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "bridge/cli/command_line.hpp"
#include "bridge/cli/load_config.hpp"
#include "bridge/cli/log_options.hpp"
#include "bridge/cli/rehearse/rehearsal_event.hpp"
#include "bridge/cli/rehearse/rehearsal_pair.hpp"
#include "bridge/cli/rehearse/rehearsal_report.hpp"
#include "bridge/cli/rehearse/rehearsal_show.hpp"
#include "bridge/cli/screen.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "csa/server/game_name.hpp"
#include "csa/server/server.hpp"

namespace kakehashi::bridge::cli {
namespace {

constexpr int games_max = 100'000;

struct RehearseOptions {
  std::string config;
  std::string config2;
  std::string game_name;  ///< empty: see default_game_name()
  std::string event;
  std::string faults = "none";
  int games = 1;
  std::optional<int> max_moves;
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
  (void)csa::server::take_color_suffix(name);
  const auto parsed = csa::server::parse_game_name(name);
  return parsed && !parsed->is_floodgate ? parsed->text : RehearsalPlan().game_name;
}

int rehearse(const RehearseOptions& options) {
  if (!options.game_name.empty() && !csa::server::parse_game_name(options.game_name)) {
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
  const auto habits = habits_of(options.event);
  plan.habits = habits.value_or(EventHabits{});
  plan.faults = faults_of(options.faults).value_or(Faults{});
  plan.game_name = !options.game_name.empty() ? options.game_name
                   : habits                   ? habits->game_name
                                              : default_game_name(*first);
  plan.configs = {std::move(*first), std::move(*second)};
  plan.games = options.games;
  plan.max_moves = options.max_moves.value_or(plan.habits.max_moves);
  plan.least_time_s = options.least_time_s;
  plan.seed = std::random_device()();
  quieten(plan.configs[0].log, options);

  RehearsalShow show(std::cout, options.games, options.watch, look_of_environment());
  RehearsalReport report;
  const int status = play_rehearsal(plan, show, report);
  const auto bots = prepare_configs(plan, 0);
  const std::array<std::string, 2> names{bots[0].account.name, bots[1].account.name};
  show.tell_results(names[0], names[1]);
  if (options.event.empty() && options.faults == "none") {
    return status;
  }
  const auto verdict = report.judge(names, plan.games, show.games_finished(), plan.faults.delay_max);
  std::cout << '\n';
  for (const auto& line : verdict.lines) {
    std::cout << line << '\n';
  }
  return status != exit_ok || verdict.problems.empty() ? status : exit_differs;
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
  command
      ->add_option("--event", options->event,
                   "Clock, move limit and habits of an event, and a report at the end: wcsc, denryu or "
                   "floodgate (whose half hours are ten seconds here)")
      ->check(CLI::IsMember({"wcsc", "denryu", "floodgate"}))
      ->type_name("EVENT");
  command
      ->add_option("--faults", options->faults,
                   "What goes wrong: mild: everything arrives up to 80 ms late; wild: 400 ms, lines are cut "
                   "behind their login, and in each game an engine is killed; with a report at the end")
      ->check(CLI::IsMember({"none", "mild", "wild"}))
      ->type_name("FAULTS")
      ->capture_default_str();
  command
      ->add_option("--max-moves", options->max_moves,
                   "A draw after that many moves (256, or the event's); 0: never")
      ->check(CLI::Range(0, csa::server::Server::plies_max))
      ->type_name("N");
  command
      ->add_option("--least-time", options->least_time_s, "Least seconds that a move is charged")
      ->check(CLI::Range(0, 3600))
      ->type_name("SECONDS")
      ->capture_default_str();
  command->add_flag("--watch,!--no-watch", options->watch,
                    "Show the board, redrawn in place; the default on a terminal");
  add_log_options(*command, options->log);
  command->footer(
      "\nThe server and the password of the configuration are not used: nothing leaves this "
      "machine. Each side writes its own record. With --event or --faults the exit status is 1 when the "
      "report finds this set-up not fit to enter.");
  command->callback([options, &status] { status = rehearse(*options); });
}

}  // namespace kakehashi::bridge::cli
