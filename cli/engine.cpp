// `kakehashi engine`: puts an engine to the test before it is sent into games, and its keeper on another machine.
#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/command_line.hpp"
#include "cli/engine_probe.hpp"
#include "cli/option.hpp"
#include "daemon/engines.hpp"
#include "daemon/kept_engine.hpp"
#include "keeper/client.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;
using base::Message;
using base::say;
using base::say_as;

// --- examine

/// Faults were found that can lose games.
constexpr int exit_unfit = 1;

struct ExamineOptions {
  std::vector<std::string> command;
  std::string directory;
  std::string protocol = "usi";
  std::vector<std::string> options;
  double ready_timeout_s = 20;
  bool json = false;
};

usi::ExamSetup setup_of(const ExamineOptions& wanted) {
  usi::ExamSetup setup;
  setup.protocol = usi::protocol_named(wanted.protocol).value_or(usi::Protocol::usi);
  setup.ready_timeout = std::chrono::duration_cast<base::Millis>(
      std::chrono::duration<double>(wanted.ready_timeout_s));
  for (const auto& option : wanted.options) {
    const auto equals = option.find('=');
    if (equals == std::string::npos) {
      setup.options.emplace_back(option, std::nullopt);
    } else {
      setup.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    }
  }
  return setup;
}

int examine(const ExamineOptions& wanted, const Lines& out) {
  const auto report = examine_engine(
      setup_of(wanted), {.command = wanted.command, .directory = wanted.directory, .environment = daemon::engine_environment({}).passed});
  if (wanted.json) {
    std::cout << usi::format_json(report);
  } else {
    for (const usi::ExamLine& line : usi::lines_for_people(report)) {
      for (std::size_t column = 0; column + 1 < line.size(); ++column) {
        std::cout << base::padded(out.said(line[column]), column == 0 ? 10 : 22);
      }
      std::cout << out.said(line.back()) << '\n';
    }
  }
  std::cout << std::flush;
  const bool never_spoke = report.has("no_handshake") || report.has("no_readyok");
  if (!report.cannot_start.empty() || (never_spoke && report.measurements.size() < 3)) {
    return base::exit_unavailable;
  }
  return report.is_fit() ? base::exit_ok : exit_unfit;
}

// --- install: puts the keeper on the machine of an engine, by ssh

struct InstallOptions {
  std::string host;
  std::string keeper;
};

constexpr std::size_t output_bytes_max = std::size_t{64} * 1024;
constexpr std::size_t keeper_bytes_max = std::size_t{32} * 1024 * 1024;
constexpr std::chrono::seconds patience{300};

struct Outcome {
  bool is_well = false;
  std::string output;
  Message why;
};

/// A login shell may have said more before.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = base::split(text, '\n');
  std::erase(lines, std::string_view());
  return lines;
}

/// Runs a command with that input; what it says is bounded, and so is its time.
Outcome run(const std::vector<std::string>& command, std::string_view input) {
  ::signal(SIGPIPE, SIG_IGN);
  const usi::io::SpawnRequest request{.command = command, .directory = ".", .environment = daemon::engine_environment({}).passed};
  const auto spawned = usi::io::spawn(request);
  if (!std::holds_alternative<usi::io::Spawned>(spawned)) {
    return {.output = {}, .why = std::get<base::Message>(spawned)};
  }
  const usi::io::Spawned child = std::get<usi::io::Spawned>(spawned);
  Outcome outcome;
  std::string errors;
  asio::io_context context;
  asio::posix::stream_descriptor to_stdin(context, child.to_stdin);
  asio::posix::stream_descriptor from_stdout(context, child.from_stdout);
  asio::posix::stream_descriptor from_stderr(context, child.from_stderr);
  const auto then_close = [](asio::posix::stream_descriptor& done) {
    return [&done](boost::system::error_code failed, std::size_t) { done.close(failed); };
  };
  asio::async_write(to_stdin, asio::buffer(input), then_close(to_stdin));
  asio::async_read(from_stdout, asio::dynamic_buffer(outcome.output, output_bytes_max), then_close(from_stdout));
  asio::async_read(from_stderr, asio::dynamic_buffer(errors, output_bytes_max), then_close(from_stderr));
  context.run_for(patience);
  if (!context.stopped()) {
    ::kill(-child.process, SIGKILL);
    outcome.why = say("no end within {}", base::duration(base::Millis(patience).count()));
  }
  int status = 0;
  ::waitpid(child.process, &status, 0);
  outcome.is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const Message failure = usi::io::exec_failure(child, request);
  ::close(child.pidfd);
  ::close(child.exec_status);
  if (!failure.empty()) {
    outcome.why = failure;
  } else if (outcome.why.empty()) {
    outcome.why = base::verbatim(base::quote_for_log(base::join(lines_of(errors), " / "), 300));
  }
  return outcome;
}

Outcome run_there(const std::string& host, const std::string& script, std::string_view input) {
  std::vector<std::string> command = keeper::ssh_command(host);
  command.push_back("exec /bin/sh -c " + keeper::quote_for_shell(script));
  return run(command, input);
}

std::string read_file(const std::string& path) {
  std::string bytes = base::io::read_whole(path).value_or("");
  return bytes.size() > keeper_bytes_max ? "" : bytes;
}

/// ELF, e_machine: as `uname -m` calls it; empty: none that is known here.
std::string machine_of(const std::string& program) {
  if (program.size() < 20 || !program.starts_with("\x7f" "ELF")) {
    return "";
  }
  switch (static_cast<unsigned char>(program[18])) {
    case 62: return "x86_64";
    case 183: return "aarch64";
    default: return "";
  }
}

/// This machine's own beside this program; that of another kind in ../lib/kakehashi, or beside this program too.
std::string keeper_for(const std::string& machine) {
  utsname own{};
  ::uname(&own);
  const std::string beside = daemon::keeper_program();
  if (machine == own.machine) {
    return beside;
  }
  const std::string packaged = beside.substr(0, beside.rfind('/') + 1) + "../lib/kakehashi/kakehashi-keep." + machine;
  return ::access(packaged.c_str(), R_OK) == 0 ? packaged : beside + "." + machine;
}

/// `host` as engine.host has it; `file` is the keeper to copy, or empty: the one that fits there, beside this program.
/// Says what it did; the exit status.
int install_keeper(const std::string& host, std::string file, const Lines& out) {
  const std::string place = "$HOME/" + std::string(keeper::installed_in);
  const std::string shown = "~/" + std::string(keeper::installed_in) + "/kakehashi-keep";
  const Outcome found = run_there(host, "uname -m; PATH=\"" + place + ":$PATH\" kakehashi-keep --version 2>/dev/null || echo none", "");
  if (!found.is_well) {
    out.labelled(say_as("column", "problem"), say("{} cannot be reached: {}", host, found.why));
    return base::exit_unavailable;
  }
  const auto lines = lines_of(found.output);
  const std::string machine(lines.size() < 2 ? std::string_view() : lines[lines.size() - 2]);
  const bool has_none = lines.empty() || lines.back() == "none";
  out.labelled(say_as("column", "host"),
               has_none ? say("{}, {}; no kakehashi-keep is there yet", host, base::quoted(machine, 40))
                        : say("{}, {}; kakehashi-keep there before: {}", host, base::quoted(machine, 40),
                              base::quoted(lines.back(), 80)));
  if (file.empty()) {
    file = keeper_for(machine);
  }
  const std::string program = read_file(file);
  if (program.empty() || machine_of(program) != machine) {
    out.labelled(say_as("column", "problem"),
                 program.empty() ? say("there is no {}: give the keeper of that machine by --keeper FILE", file)
                 : machine_of(program).empty()
                     ? say("{} is for another machine: give the keeper of that machine by --keeper FILE", file)
                     : say("{} is for {}: give the keeper of that machine by --keeper FILE", file, machine_of(program)));
    return base::exit_unavailable;
  }
  const std::string next = place + "/.kakehashi-keep.new";
  // One that came whole takes the other's place at once; a keeper that runs keeps its own file.
  const Outcome copied = run_there(
      host,
      "umask 022; mkdir -p \"" + place + "\" && cat > \"" + next + "\" && [ \"$(wc -c < \"" + next + "\")\" -eq " +
          std::to_string(program.size()) + " ] && chmod 755 \"" + next + "\" && mv -f \"" + next + "\" \"" + place +
          "/kakehashi-keep\" && exec \"" + place + "/kakehashi-keep\" --version",
      program);
  const auto said = lines_of(copied.output);
  if (!copied.is_well || said.empty() || !said.back().starts_with("kakehashi-keep ")) {
    out.labelled(say_as("column", "problem"), say("it could not be put there: {}", copied.why));
    return base::exit_unavailable;
  }
  out.labelled(say_as("column", "copied"), say("{} ({} KiB) to {}", file, program.size() / 1024, shown));
  out.labelled(say_as("column", "result"),
               say("{} has {}; engine.host: {} finds it", host, base::quoted(said.back()), base::quoted(host)));
  return base::exit_ok;
}

}  // namespace

void register_engine(CLI::App& app, const Terminal& terminal, int& status) {
  auto* engine = app.add_subcommand("engine", say("Look at an engine, or prepare its machine").english());
  engine->require_subcommand(1);
  auto* command = engine->add_subcommand(
      "examine", say("Test an engine: does it keep to its protocol and to the clock?").english());
  const auto wanted = std::make_shared<ExamineOptions>();
  option(*command, "COMMAND", wanted->command, say("The engine's program and its arguments; put -- before them when one "
                                                   "begins with -"))
      ->required();
  option(*command, "--protocol", wanted->protocol, say("Its protocol"))
      ->check(CLI::IsMember({"usi", "uci", "tei", "ucgi"}))
      ->capture_default_str();
  option(*command, "--option", wanted->options, say("NAME=VALUE to set an option before the test, NAME to press a "
                                                    "button; repeatable"))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  option(*command, "--directory", wanted->directory, say("Where it runs (the program's own directory)"));
  option(*command, "--ready-timeout", wanted->ready_timeout_s, say("Seconds that it may take to readyok"))
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  flag(*command, "--json", wanted->json, say("Report as JSON"));
  command->footer(say("Exit status:\n"
                      "  0   fit to play; quirks are only listed\n"
                      "  1   faults that can lose games\n"
                      "  64  the command line could not be understood\n"
                      "  69  the engine cannot be started, or never gets ready")
                      .english());
  command->callback([wanted, &terminal, &status] { status = examine(*wanted, terminal.output); });

  auto* install = engine->add_subcommand("install", say("Put kakehashi-keep on the machine of an engine, by ssh").english());
  const auto place = std::make_shared<InstallOptions>();
  option(*install, "HOST", place->host, say("As engine.host has it: a name for ssh, or a whole ssh command line"))->required();
  option(*install, "--keeper", place->keeper, say("The program to copy (the one beside this program that fits there)"));
  install->footer(say("Exit status:\n"
                      "  0   it is there\n"
                      "  64  the command line could not be understood\n"
                      "  69  the machine cannot be reached, or no keeper fits it")
                      .english());
  install->callback([place, &terminal, &status] { status = install_keeper(place->host, place->keeper, terminal.output); });
}

}  // namespace kakehashi::cli
