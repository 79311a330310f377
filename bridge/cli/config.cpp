// `kakehashi config`: what can be configured.
#include <CLI/CLI.hpp>
#include <iostream>

#include "bridge/cli/command_line.hpp"
#include "bridge/cli/exit_status.hpp"
#include "config/reference.hpp"

namespace kakehashi::bridge::cli {

void register_config(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("config", "What can be configured");
  command->require_subcommand(1);
  command->add_subcommand("reference", "Print the reference of all configuration keys")
      ->callback([&status] {
        std::cout << config::reference();
        status = exit_ok;
      });
  register_config_import(*command, status);
}

}  // namespace kakehashi::bridge::cli
