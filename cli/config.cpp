// "config": what can be configured, and what another program's settings become.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/load_config.hpp"
#include "cli/option.hpp"
#include "cli/terminal.hpp"
#include "config/io/load_shogihome.hpp"
#include "config/reference/reference.hpp"
#include "config/yaml/write_yaml.hpp"

namespace kakehashi::cli {

namespace {

using base::say;

struct ImportOptions {
  std::string settings;
  std::string output;
  std::string password_file;
};

base::Message fate_of(const config::Carried& one) {
  const auto place = one.ours.empty() ? say("{} has no counterpart", one.theirs) : base::verbatim(one.theirs + " -> " + one.ours);
  return one.remark.empty() ? place : say("{}: {}", place, one.remark);
}

void tell_what_became(const config::ShogiHomeImport& made, const Lines& errors) {
  for (const auto& one : made.carried) {
    errors.indented(fate_of(one));
  }
  for (const auto& warning : made.warnings) {
    errors.line(say("warning: {}", config::describe(warning)));
  }
  for (const auto& problem : made.problems) {
    errors.line(config::describe(problem));
  }
}

/// Whole, since the configuration may be used from another directory.
std::string password_path(const ImportOptions& options, const std::string& account) {
  std::filesystem::path path = options.password_file;
  if (path.empty()) {
    path = options.output.empty() ? std::filesystem::path(account + ".password")
                                  : std::filesystem::path(options.output).replace_extension(".password");
  }
  return whole_path(path.string());
}

int write_files(const ImportOptions& options, const std::string& text,
                const std::string& password_file, std::string_view password, const Terminal& terminal) {
  // The secret first: without it the configuration would be of no use.
  if (const auto why = create_file(password_file, std::string(password) + "\n", 0600); !why.empty()) {
    terminal.fault(say("{}; --password-file names another place", why));
    return base::exit_usage;
  }
  if (const auto why = create_file(options.output, text, 0644); !why.empty()) {
    ::unlink(password_file.c_str());
    return terminal.fault(why, base::exit_usage);
  }
  terminal.errors.line(say("written: {}, and the password to {}, which only you can read", options.output, password_file));
  terminal.errors.line(say("Try 'kakehashi check {}'.", options.output));
  return base::exit_ok;
}

int import(const ImportOptions& options, const Terminal& terminal) {
  auto made = config::io::load_shogihome(options.settings, {});
  tell_what_became(made, terminal.errors);
  if (!made.problems.empty()) {
    return base::exit_config;
  }
  auto& account = made.bot.account;
  const std::string password_file = password_path(options, account.name);
  account.password_file = password_file;
  made.bot.name.clear();  // It is the account's anyway.
  const std::string head =
      terminal.output.said(say("Made from the settings of ShogiHome's usi-csa-bridge by 'kakehashi config import'.")) + "\n" +
      terminal.output.said(say("What is not written here has its default: 'kakehashi config reference' tells all."));
  const std::string text = config::write_yaml(made.bot, head, config::Extent::told, terminal.output.language());
  if (!options.output.empty()) {
    return write_files(options, text, password_file, account.password.reveal(), terminal);
  }
  std::cout << as_file << text << as_text;
  terminal.errors.line(say("The password was not written. Put it (the trip alone, without the game's name) into {}, one "
                           "line, chmod 600; or let 'kakehashi config import -o FILE' write both.", password_file));
  return base::exit_ok;
}

/// Below `config`.
void register_import(CLI::App& config, const Terminal& terminal, int& status) {
  auto* command = config.add_subcommand(
      "import", say("Turn the settings of ShogiHome's usi-csa-bridge into a configuration").english());
  const auto options = std::make_shared<ImportOptions>();
  option(*command, "FILE", options->settings, say("YAML, JSON or the packed form; - for standard input, env:NAME for a "
                                                  "variable"))
      ->required();
  option(*command, "-o,--output", options->output, say("The configuration to create; the password goes into a private "
                                                       "file beside it"), "FILE");
  option(*command, "--password-file", options->password_file, say("Another place for the password"), "FILE");
  command->callback([options, &terminal, &status] { status = import(*options, terminal); });
}

}  // namespace

void register_config(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("config", say("What can be configured").english());
  command->require_subcommand(1);
  auto* reference =
      command->add_subcommand("reference", say("Print the reference of all configuration keys").english());
  const auto is_japanese = std::make_shared<bool>(false);
  flag(*reference, "--japanese", *is_japanese, say("In Japanese"));
  reference->callback([is_japanese, language = terminal.output.language(), &status] {
    std::cout << config::reference(*is_japanese ? words::Language::japanese : language);
    status = base::exit_ok;
  });
  register_import(*command, terminal, status);
}

}  // namespace kakehashi::cli
