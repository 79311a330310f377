// `kakehashi init`: from a few answers to a configuration that plays, tried before it is written.
#include <CLI/CLI.hpp>
#include <memory>

#include "bridge/cli/command_line.hpp"
#include "bridge/cli/init/init_session.hpp"

namespace kakehashi::bridge::cli {

void register_init(CLI::App& app, words::Language language, int& status) {
  auto* command = app.add_subcommand("init", "Make a configuration: asks, tries, writes");
  // Shared by the option readers and the callback, which outlive this function.
  const auto options = std::make_shared<InitOptions>();
  options->language = language;
  auto& answers = options->answers;
  command->add_option("--server", answers.server, "The server; the default is floodgate's")
      ->type_name("HOST[:PORT]");
  command->add_flag("--tls", answers.tls, "Speak TLS to it");
  command->add_option("--name", answers.name, "Name of the bot, as others see it")->type_name("NAME");
  command
      ->add_option("--game", answers.game,
                   "Game to ask for, such as floodgate-300-10F; none: the organisers pair")
      ->type_name("NAME");
  command
      ->add_option("--trip-file", answers.trip_file,
                   "File with the trip or password, one line; - reads it from standard input into a "
                   "private file; without it the trip is asked for and not shown")
      ->type_name("FILE");
  command
      ->add_option("--engine", answers.engine,
                   "The engine's program and its arguments")
      ->type_name("COMMAND");
  command->add_option("COMMAND", options->arguments,
                      "The same, or more of it: behind -- for arguments that begin with -");
  command->add_option("-o,--output", options->output, "File to create; the default is NAME.yaml")
      ->type_name("FILE");
  command->add_flag("--login", options->login, "Also log in at the server, and out again at once");
  command->add_flag("--no-test", options->untested, "Try neither engine nor server");
  command->add_flag("--all", options->all, "Write every other setting too, as a comment with its default");
  command->add_flag("--service", options->service,
                    "Have systemd run it from now on: writes to /etc/kakehashi, installs the unit, starts it, shows "
                    "its state; wants root");
  command->add_flag("--yes", options->yes, "Ask nothing: take what is given and the defaults");
  command->footer(
      "\nOn a terminal it asks for what is not given. The engine is started and the server called "
      "before anything is written, and no file is ever overwritten.");
  command->callback([options, &status] { status = InitSession(*options).run(); });
}

}  // namespace kakehashi::bridge::cli
