// `kakehashi run`: plays.
#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/load_config.hpp"
#include "cli/log_options.hpp"
#include "cli/option.hpp"
#include "cli/shogihome_options.hpp"
#include "cli/status_options.hpp"
#include "daemon/estate.hpp"
#include "daemon/fleet.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

struct RunOptions {
  std::vector<std::string> configs;
  ShogiHomeOptions shogihome;
  LogOptions log;
  StatusOptions status;
  int ready_within_s = static_cast<int>(daemon::Readiness::default_within.count() / 1000);
};

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

/// CLI11 tells a person what is thrown here like any other mistake of the command line.
void judge(const RunOptions& options) {
  if (options.configs.empty() && !options.shogihome.are_given()) {
    throw Misuse(say("{} is required", std::string("CONFIG")));
  }
  if (!options.configs.empty() && options.shogihome.are_given()) {
    throw Misuse(say("CONFIG: files of ours and of ShogiHome cannot run in one process"));
  }
  if (!options.shogihome.are_given() && !options.shogihome.changes.empty()) {
    throw Misuse(say("--shogihome: is needed for the options that override its settings; others are written into the "
                     "configuration"));
  }
}

/// The settings of ShogiHome are read once: its command line may override them.
daemon::Reload reload_of(const RunOptions& options) {
  if (options.shogihome.are_given()) {
    return {};
  }
  return [options] {
    auto loaded = judged_configs(options.configs);
    for (auto& bot : loaded.bots) {
      options.log.apply_to(bot);
    }
    return loaded;
  };
}

/// Whether this program could go on with what another one plays just now: its exit status.
int judged_trial(const std::vector<config::BotConfig>& configs, holder::Kept& kept, const Terminal& terminal) {
  int status = holder::exit_can_follow;
  for (const config::BotConfig& config : configs) {
    if (const auto outcome = daemon::Estate::could_be_followed(kept, config); !outcome) {
      terminal.errors.line(say("{}: {}", config.name, outcome.error()));
      status = holder::exit_can_begin;
    }
  }
  return status;
}

int run(const RunOptions& options, const Terminal& terminal, holder::Kept* kept) {
  judge(options);
  auto status = options.status.read();
  if (!status) {
    terminal.fault(status.error());
    return base::exit_usage;
  }
  // What is wrong with the files was said when the player began that an understudy gets ready to follow.
  std::ostream nowhere(nullptr);
  const Lines unsaid(nowhere, terminal.errors.language());
  const bool is_understudy = kept != nullptr && kept->start().is_understudy;
  const Terminal& told = is_understudy ? Terminal{unsaid, unsaid} : terminal;
  auto configs = options.shogihome.are_given() ? load_shogihome_configs(options.shogihome, told)
                                               : cli::told(judged_configs(options.configs), told);
  if (!configs && kept != nullptr && !kept->start().is_trial && !is_understudy) {
    configs = daemon::Estate::configs_of_runs(*kept);
  }
  if (!configs || configs->empty()) {
    return base::exit_config;
  }
  for (auto& config : *configs) {
    options.log.apply_to(config);
  }
  if (kept != nullptr && kept->start().is_trial) {
    return judged_trial(*configs, *kept, terminal);
  }
  return daemon::run_fleet(std::move(*configs), fresh_seed(), reload_of(options), std::move(*status),
                   base::Seconds{options.ready_within_s}, kept);
}

}  // namespace

void register_run(CLI::App& app, const Terminal& terminal, holder::Kept* kept, int& status) {
  auto* command = app.add_subcommand("run", say("Play: one bot for each configuration file").english());
  const auto options = std::make_shared<RunOptions>();
  option(*command, "CONFIG", options->configs, say("Configuration files, or directories of them (*.yaml)"));
  add_shogihome_options(*command, options->shogihome, ShogiHomeChanges::taken);
  add_log_options(*command, options->log);
  add_status_options(*command, options->status);
  option(*command, "--ready-within", options->ready_within_s, say("Tell systemd that all is ready after so many seconds, "
                                                                  "though a bot has not been tried yet; else when each has "
                                                                  "logged in or failed for the first time"), "SECONDS")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command->footer(
      say("SIGTERM and SIGINT: the first lets the running game finish, the second resigns it, the "
          "third leaves at once. SIGHUP: read the configuration again and begin anew with it, behind the "
          "running game. SIGUSR1: log the present state. SIGUSR2: as kakehashi upgrade.")
          .english());
  command->callback([options, &terminal, kept, &status] { status = run(*options, terminal, kept); });
}

}  // namespace kakehashi::cli
