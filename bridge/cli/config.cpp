// `kakehashi config`: what can be configured.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "bridge/cli/command_line.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "config/reference/reference.hpp"

namespace kakehashi::bridge::cli {

void register_config(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("config", "What can be configured");
  command->require_subcommand(1);
  auto* reference =
      command->add_subcommand("reference", "Print the reference of all configuration keys");
  const auto is_japanese = std::make_shared<bool>(false);
  reference->add_flag("--japanese", *is_japanese, "In Japanese");
  reference->callback([is_japanese, &status] {
    std::cout << config::reference(*is_japanese ? config::Language::japanese : config::Language::english);
    status = exit_ok;
  });
  register_config_import(*command, status);
}

}  // namespace kakehashi::bridge::cli
