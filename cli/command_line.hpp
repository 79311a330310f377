// The room cli: the commands. It may use every room, and none may use it.
//
// The command line: which subcommands there are, and what a person who mistypes one is told. Each
// subcommand stands in a file of its own, which registers it here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/lines.hpp"

namespace CLI {
class App;
}
namespace kakehashi::holder {
class Kept;
}

namespace kakehashi::cli {

/// Each adds its subcommand; running it speaks to `terminal` and sets `status` to the exit status.
/// `kept`: for `run`; null: nothing outlives this process.
void register_run(CLI::App& app, const Terminal& terminal, holder::Kept* kept, int& status);
void register_check(CLI::App& app, const Terminal& terminal, int& status);
/// `stop`, `reload` and `upgrade`, which ask a running `run --status`.
void register_control(CLI::App& app, const Terminal& terminal, int& status);
void register_completions(CLI::App& app, const Terminal& terminal, int& status);
void register_config(CLI::App& app, const Terminal& terminal, int& status);
/// Below `config`.
void register_config_import(CLI::App& config, const Terminal& terminal, int& status);
void register_engine(CLI::App& app, const Terminal& terminal, int& status);
void register_init(CLI::App& app, const Terminal& terminal, int& status);
/// `games`, which reads the archive.
void register_games(CLI::App& app, const Terminal& terminal, int& status);
/// `notify`, which tries the receivers of a configuration.
/// `logs` of the bots that systemd runs.
void register_logs(CLI::App& app, const Terminal& terminal, int& status);
void register_notify(CLI::App& app, const Terminal& terminal, int& status);
/// `publish`, which writes the archive as a web site.
void register_publish(CLI::App& app, const Terminal& terminal, int& status);
void register_replay(CLI::App& app, const Terminal& terminal, int& status);
void register_record(CLI::App& app, const Terminal& terminal, int& status);
void register_rehearse(CLI::App& app, const Terminal& terminal, int& status);
/// `health`, `status` and `top`, which read what a running `run --status` shows.
void register_status(CLI::App& app, const Terminal& terminal, int& status);
void register_serve(CLI::App& app, const Terminal& terminal, int& status);

/// Reads the command line without the program's name, runs what it asks for, and returns the exit
/// status; `build` is what --version tells besides the number. Throws nothing.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments, std::string_view build = "",
                                   holder::Kept* kept = nullptr) noexcept;
/// Whether they are those of `run`, which outlives its own death.
[[nodiscard]] bool plays(const std::vector<std::string>& arguments);

}  // namespace kakehashi::cli
