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

/// Each adds its subcommands; running one speaks to `terminal` and sets `status` to the exit status.
using Register = void(CLI::App& app, const Terminal& terminal, int& status);
Register register_check, register_completions, register_config, register_engine, register_games, register_init, register_logs,
    register_notify, register_publish, register_record, register_rehearse, register_replay, register_serve;
/// `health`, `status` and `top`, which read what a running `run --status` shows.
Register register_status;
/// `stop`, `reload` and `upgrade`, which ask it.
Register register_control;
/// `kept`: null: nothing outlives this process.
void register_run(CLI::App& app, const Terminal& terminal, holder::Kept* kept, int& status);

/// Reads the command line without the program's name, runs what it asks for, and returns the exit
/// status; `build` is what --version tells besides the number. Throws nothing.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments, std::string_view build = "",
                                   holder::Kept* kept = nullptr) noexcept;
/// Whether they are those of `run`, which outlives its own death.
[[nodiscard]] bool plays(const std::vector<std::string>& arguments);

}  // namespace kakehashi::cli
