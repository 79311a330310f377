// The room cli: the commands. It may use every room, and none may use it.
//
// The command line: which subcommands there are, and what a person who mistypes one is told. Each
// subcommand stands in a file of its own, which registers it here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words/words.hpp"

namespace CLI {
class App;
}

namespace kakehashi::cli {

/// Each adds its subcommand; running it sets `status` to the exit status.
void register_run(CLI::App& app, int& status);
void register_check(CLI::App& app, int& status);
/// `stop` and `reload`, which ask a running `run --status`.
void register_control(CLI::App& app, int& status);
void register_completions(CLI::App& app, int& status);
void register_config(CLI::App& app, words::Language language, int& status);
/// Below `config`.
void register_config_import(CLI::App& config, words::Language language, int& status);
void register_engine(CLI::App& app, int& status);
/// The files of `init` and `config import` explain themselves in that language.
void register_init(CLI::App& app, words::Language language, int& status);
/// `games`, which reads the archive.
void register_games(CLI::App& app, int& status);
/// `notify`, which tries the receivers of a configuration.
/// `logs` of the bots that systemd runs.
void register_logs(CLI::App& app, int& status);
void register_notify(CLI::App& app, int& status);
/// `publish`, which writes the archive as a web site.
void register_publish(CLI::App& app, int& status);
void register_replay(CLI::App& app, int& status);
void register_record(CLI::App& app, int& status);
void register_rehearse(CLI::App& app, int& status);
/// `health`, `status` and `top`, which read what a running `run --status` shows.
void register_status(CLI::App& app, int& status);
void register_serve(CLI::App& app, int& status);

/// Reads the command line without the program's name, runs what it asks for, and returns the exit
/// status; `build` is what --version tells besides the number. Throws nothing.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments, std::string_view build = "") noexcept;

}  // namespace kakehashi::cli
