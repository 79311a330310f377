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
#include "cli/create_file.hpp"
#include "cli/terminal.hpp"
#include "config/io/load_shogihome.hpp"
#include "config/reference/reference.hpp"
#include "config/yaml/write_yaml.hpp"

namespace kakehashi::cli {

namespace {

struct ImportOptions {
  std::string settings;
  std::string output;
  std::string password_file;
  words::Language language = words::Language::english;  ///< of the file's comments
};

void tell_what_became(const config::ShogiHomeImport& made) {
  for (const auto& one : made.carried) {
    std::cerr << "  " << one.theirs << (one.ours.empty() ? " has no counterpart" : " -> " + one.ours)
              << (one.remark.empty() ? "" : ": " + one.remark) << '\n';
  }
  for (const auto& warning : made.warnings) {
    std::cerr << "warning: " << config::describe(warning) << '\n';
  }
  for (const auto& problem : made.problems) {
    std::cerr << config::describe(problem) << '\n';
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
                const std::string& password_file, std::string_view password) {
  // The secret first: without it the configuration would be of no use.
  if (const auto why = create_file(password_file, std::string(password) + "\n", 0600); !why.empty()) {
    std::cerr << "kakehashi: " << why << "; --password-file names another place\n";
    return base::exit_usage;
  }
  if (const auto why = create_file(options.output, text, 0644); !why.empty()) {
    ::unlink(password_file.c_str());
    std::cerr << "kakehashi: " << why << '\n';
    return base::exit_usage;
  }
  std::cerr << "written: " << options.output << ", and the password to " << password_file
            << ", which only you can read\nTry 'kakehashi check " << options.output << "'.\n";
  return base::exit_ok;
}

int import(const ImportOptions& options) {
  auto made = config::io::load_shogihome({options.settings, false}, {});
  tell_what_became(made);
  if (!made.problems.empty()) {
    return base::exit_config;
  }
  auto& account = made.bot.account;
  const std::string password_file = password_path(options, account.name);
  account.password_file = password_file;
  made.bot.name.clear();  // It is the account's anyway.
  const std::string head =
      words::in(options.language, "Made from the settings of ShogiHome's usi-csa-bridge by 'kakehashi config import'.") + "\n" +
      words::in(options.language, "What is not written here has its default: 'kakehashi config reference' tells all.");
  const std::string text = config::write_yaml(made.bot, head, config::Extent::told, options.language);
  if (!options.output.empty()) {
    return write_files(options, text, password_file, account.password.reveal());
  }
  std::cout << as_file << text << as_text;
  std::cerr << "The password was not written. Put it (the trip alone, without the game's name) into "
            << password_file
            << ", one line, chmod 600; or let 'kakehashi config import -o FILE' write both.\n";
  return base::exit_ok;
}

}  // namespace

void register_config_import(CLI::App& config, const Terminal& terminal, int& status) {
  auto* command = config.add_subcommand(
      "import", "Turn the settings of ShogiHome's usi-csa-bridge into a configuration");
  // Shared by the option readers and the callback, which outlive this function.
  const auto options = std::make_shared<ImportOptions>();
  options->language = terminal.output.language();
  command
      ->add_option("FILE", options->settings,
                   "YAML, JSON or the packed form; - for standard input, env:NAME for a variable")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "The configuration to create; the password goes into a private file beside it")
      ->type_name("FILE");
  command->add_option("--password-file", options->password_file, "Another place for the password")
      ->type_name("FILE");
  command->callback([options, &status] { status = import(*options); });
}

void register_config(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("config", "What can be configured");
  command->require_subcommand(1);
  auto* reference =
      command->add_subcommand("reference", "Print the reference of all configuration keys");
  const auto is_japanese = std::make_shared<bool>(false);
  reference->add_flag("--japanese", *is_japanese, "In Japanese");
  reference->callback([is_japanese, language = terminal.output.language(), &status] {
    std::cout << config::reference(*is_japanese ? words::Language::japanese : language);
    status = base::exit_ok;
  });
  register_config_import(*command, terminal, status);
}

}  // namespace kakehashi::cli
