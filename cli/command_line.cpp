#include "cli/command_line.hpp"

#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string_view>

#include "base/exit_status.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/language.hpp"
#include "cli/terminal.hpp"
#include "holder/kept.hpp"

namespace kakehashi::cli {
namespace {

using base::Message;
using base::say;

/// With what base/exit_status.hpp has, for people.
std::string footer() {
  return say("Exit status:\n"
             "  0   done: all games played, or stopped as asked\n"
             "  1   replay: the program now does something else than was recorded\n"
             "  64  the command line could not be understood\n"
             "  65  a journal or record is broken, or a record contradicts itself\n"
             "  66  a record file cannot be read\n"
             "  69  the engine or the server is not available\n"
             "  70  a fault of the program itself\n"
             "  73  an output file exists or cannot be written\n"
             "  75  stopped at once in mid-game\n"
             "  77  the server refused the login for good\n"
             "  78  the configuration is wrong; nothing was opened\n"
             "\n'kakehashi COMMAND --help' shows more on each. Start with 'kakehashi init'.")
      .english();
}

constexpr const char* version_text = "kakehashi " KAKEHASHI_VERSION;

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// "…; did you mean …?", where one is near.
Message suggested(Message complaint, const std::string& word, const std::vector<std::string>& candidates) {
  const auto near = base::nearest(word, candidates);
  return near ? say("{}; did you mean {}?", std::move(complaint), base::quoted(*near)) : complaint;
}

/// The subcommand that was meant, however deep; the program itself when there was none.
CLI::App& selected(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : selected(*chosen.back());
}

/// "kakehashi games"
std::string path_of(const CLI::App& command) {
  std::string path = command.get_name();
  for (const auto* above = command.get_parent(); above != nullptr; above = above->get_parent()) {
    path = above->get_name() + " " + path;
  }
  return path;
}

bool refuses(CLI::Option& option, const std::string& value) {
  try {
    return !(*option.get_validator())(value).empty();
  } catch (const CLI::OptionNotFound&) {
    return false;  // it takes everything
  }
}

/// What an option takes: a range is "INT in [1 - 64]" to CLI11.
Message accepted_by(CLI::Option& option) {
  constexpr std::string_view before = " in [";
  constexpr std::string_view between = " - ";
  std::string text = option.get_validator()->get_description();
  const std::size_t from = text.find(before);
  const std::size_t to = from == std::string::npos ? from : text.find(between, from);
  if (to == std::string::npos || !text.ends_with(']')) {
    return base::verbatim(std::move(text));
  }
  const std::size_t first = from + before.size();
  const std::size_t last = to + between.size();
  const std::string least = text.substr(first, to - first);
  const std::string most = text.substr(last, text.size() - 1 - last);
  return text.starts_with("FLOAT") ? say("{} to {}", least, most) : say("a whole number from {} to {}", least, most);
}

/// What CLI11 found wrong with the options: it has the fault in English alone.
std::optional<Message> fault_of(CLI::Option& option) {
  const std::string name = option.get_name();
  if (option.get_required() && option.count() == 0) {
    return say("{} is required", name);
  }
  if (option.count() == 0) {
    return std::nullopt;
  }
  for (const CLI::Option* other : option.get_needs()) {
    if (other->count() == 0) {
      return say("{} requires {}", name, other->get_name());
    }
  }
  for (const CLI::Option* other : option.get_excludes()) {
    if (other->count() > 0) {
      return say("{} excludes {}", name, other->get_name());
    }
  }
  for (const std::string& value : option.results()) {
    if (refuses(option, value)) {
      return say("{} takes {}, not {}", name, accepted_by(option), base::quoted(value));
    }
  }
  return std::nullopt;
}

/// "Could not convert: --port = x"
bool is_of_a_number(const CLI::ParseError& error, const CLI::Option& option) {
  return dynamic_cast<const CLI::ConversionError*>(&error) != nullptr &&
         std::string_view(error.what()).find(": " + option.get_name() + " = ") != std::string_view::npos;
}

Message explain(CLI::App& app, const CLI::ParseError& error) {
  if (const auto* misuse = dynamic_cast<const Misuse*>(&error)) {
    return misuse->why();
  }
  auto& command = selected(app);
  const auto left_over = app.remaining(true);
  const auto commands = command_names(command);
  // CLI11 misses a command first, and does not look at the word that was meant for one.
  const bool lacks_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && !commands.empty();
  if (lacks_command && left_over.empty()) {
    return say("'{}' wants a command: {}", path_of(command), base::listed(commands));
  }
  if ((dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr && !lacks_command) || left_over.empty()) {
    for (CLI::Option* option : command.get_options()) {
      if (auto fault = fault_of(*option)) {
        return std::move(*fault);
      }
      if (is_of_a_number(error, *option)) {
        return say("{} takes a number, not {}", option->get_name(), base::quoted(option->results().back()));
      }
    }
    return base::verbatim(error.what());
  }
  const auto& word = left_over.front();
  if (word.starts_with("-")) {
    const auto name = word.substr(0, word.find('='));
    return suggested(say("there is no option {}", base::quoted(word)), name, option_names(command));
  }
  if (commands.empty()) {
    const bool reads_archive = command.get_option_no_throw("--archive") != nullptr;
    return reads_archive ? say("{} is one argument too many; name an archive with --archive FILE, or a bot with --config "
                               "CONFIG", base::quoted(word))
                         : say("{} is one argument too many", base::quoted(word));
  }
  if (command.get_parent() == nullptr) {
    return suggested(say("there is no command {}", base::quoted(word)), word, commands);
  }
  const auto complaint = say("there is no command {} of '{}'", base::quoted(word), path_of(command));
  return base::nearest(word, commands) ? suggested(complaint, word, commands)
                                       : say("{}; there are {}", complaint, base::listed(commands));
}

int run_parsed(CLI::App& app, const Terminal& terminal, std::vector<std::string> arguments, const int& status) {
  // CLI11 takes the words from the back.
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
    if (app.get_subcommands().empty()) {
      std::cerr << app.help();
      return base::exit_usage;
    }
    return status;
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);  // --help, --version
  } catch (const CLI::ParseError& error) {
    terminal.fault(explain(app, error));
    terminal.errors.line(say("Try '{} --help'.", path_of(selected(app))));
    return base::exit_usage;
  }
}

/// A reader that has seen enough (`… | head`) is no fault of anybody.
bool has_reader_gone() {
  pollfd watched{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLERR) != 0;
}

/// What a command has said well may still lie in a buffer, and find no room where it goes.
int flushed(int status, const Terminal& terminal) {
  if (std::cout.flush() || status != base::exit_ok || has_reader_gone()) {
    return status;
  }
  terminal.fault(say("standard output: it cannot be written"));
  return base::exit_cannot_create;
}

}  // namespace

bool plays(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--lang") {
      ++i;
    } else if (!arguments[i].starts_with("-")) {
      return arguments[i] == "run";
    }
  }
  return false;
}

int run_command_line(std::vector<std::string> arguments, std::string_view build, holder::Kept* kept) noexcept {
  const auto language = language_of(arguments);
  const Terminal terminal{Lines(std::cout, language), Lines(std::cerr, language)};
  const bool is_playing = plays(arguments);
  try {
    const std::string version = version_text + (build.empty() ? "" : " (" + std::string(build) + ")");
    int status = base::exit_ok;
    CLI::App app(say("Enters USI shogi engines into games on CSA servers.").english(), "kakehashi");
    app.set_version_flag("-V,--version", version, say("Show the version and exit").english());
    app.set_help_flag("-h,--help", say("Show this help and exit").english());
    app.get_formatter()->column_width(34);
    app.footer(footer());
    register_init(app, terminal, status);
    register_run(app, terminal, kept, status);
    for (Register* add : {register_check, register_rehearse, register_serve, register_status, register_control, register_logs,
                          register_notify, register_replay, register_config, register_completions, register_engine,
                          register_record, register_games, register_publish}) {
      add(app, terminal, status);
    }
    app.add_subcommand("version", say("Show the version and exit").english())->callback([&version] {
      std::cout << version << "\n";
    });
    describe_in(language, app);
    const ShownOnly shown_output(std::cout, STDOUT_FILENO);
    const ShownOnly shown_errors(std::cerr, STDERR_FILENO);
    return flushed(run_parsed(app, terminal, std::move(arguments), status), terminal);
  } catch (const std::exception& failure) {
    terminal.fault(say("a fault of the program itself: {}", base::shown(failure.what())));
    if (is_playing && kept != nullptr && kept->is_held()) {
      std::abort();  // it has games to leave to the process that follows
    }
    return base::exit_internal;
  }
}

}  // namespace kakehashi::cli
