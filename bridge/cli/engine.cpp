// `kakehashi engine`: puts an engine to the test before it is sent into games, and its keeper on another machine.
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "bridge/cli/command_line.hpp"
#include "bridge/cli/engine_install.hpp"
#include "bridge/cli/exam_positions.hpp"
#include "bridge/fleet/io/exit_status.hpp"
#include "bridge/io/engines.hpp"
#include "usi/io/run_examination.hpp"

namespace kakehashi::bridge::cli {
namespace {

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

struct InstallOptions {
  std::string host;
  std::string keeper;
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
  add_exam_positions(setup);
  return setup;
}

int examine(const ExamineOptions& wanted) {
  const auto report = usi::io::run_examination(
      setup_of(wanted), {.command = wanted.command, .directory = wanted.directory, .environment = io::engine_environment({}).passed});
  std::cout << (wanted.json ? usi::format_json(report) : usi::format_for_people(report))
            << std::flush;
  const bool never_spoke = report.has("no_handshake") || report.has("no_readyok");
  if (!report.cannot_start.empty() || (never_spoke && report.measurements.size() < 3)) {
    return exit_unavailable;
  }
  return report.is_fit() ? exit_ok : exit_unfit;
}

}  // namespace

void register_engine(CLI::App& app, int& status) {
  auto* engine = app.add_subcommand("engine", "Look at an engine, or prepare its machine");
  engine->require_subcommand(1);
  auto* command = engine->add_subcommand(
      "examine", "Test an engine: does it keep to its protocol and to the clock?");
  // Shared by the option readers and the callback, which outlive this function.
  const auto wanted = std::make_shared<ExamineOptions>();
  command
      ->add_option("COMMAND", wanted->command,
                   "The engine's program and its arguments; put -- before them when one begins with -")
      ->required();
  command->add_option("--protocol", wanted->protocol, "Its protocol")
      ->check(CLI::IsMember({"usi", "uci", "tei", "ucgi"}))
      ->capture_default_str();
  command
      ->add_option("--option", wanted->options,
                   "NAME=VALUE to set an option before the test, NAME to press a button; repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--directory", wanted->directory, "Where it runs (the program's own directory)");
  command->add_option("--ready-timeout", wanted->ready_timeout_s, "Seconds that it may take to readyok")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  command->add_flag("--json", wanted->json, "Report as JSON");
  command->footer(
      "\nExit status:\n"
      "  0   fit to play; quirks are only listed\n"
      "  1   faults that can lose games\n"
      "  64  the command line could not be understood\n"
      "  69  the engine cannot be started, or never gets ready");
  command->callback([wanted, &status] { status = examine(*wanted); });

  auto* install = engine->add_subcommand("install", "Put kakehashi-keep on the machine of an engine, by ssh");
  const auto place = std::make_shared<InstallOptions>();
  install->add_option("HOST", place->host, "As engine.host has it: a name for ssh, or a whole ssh command line")->required();
  install->add_option("--keeper", place->keeper, "The program to copy (the one beside this program that fits there)");
  install->footer(
      "\nExit status:\n"
      "  0   it is there\n"
      "  64  the command line could not be understood\n"
      "  69  the machine cannot be reached, or no keeper fits it");
  install->callback([place, &status] { status = install_keeper(place->host, place->keeper); });
}

}  // namespace kakehashi::bridge::cli
