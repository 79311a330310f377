// `kakehashi logs`: what the services have logged, out of systemd's journal.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "cli/terminal.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

constexpr int lines_max = 1'000'000;

struct LogsOptions {
  std::string name;
  int lines = 50;
  bool follows = false;
};

int show(const LogsOptions& options, const Terminal& terminal) {
  std::vector<std::string> words{"journalctl", "--no-pager", "--output=cat", "--lines=" + std::to_string(options.lines)};
  if (options.follows) {
    words.emplace_back("--follow");
  }
  if (options.name.empty()) {
    words.insert(words.end(), {"--unit=kakehashi.service", "--unit=kakehashi@*.service"});
  } else {
    words.push_back("--unit=kakehashi@" + options.name + ".service");
  }
  const int status = run_command(words);
  if (status < 0) {
    terminal.fault(say("there is no journalctl here; a bot without systemd logs to its terminal, or to log.file"));
    return base::exit_unavailable;
  }
  return status == 0 ? base::exit_ok : base::exit_unavailable;
}

}  // namespace

void register_logs(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("logs", say("Print what the bots that systemd runs have logged").english());
  const auto options = std::make_shared<LogsOptions>();
  option(*command, "NAME", options->name, say("The bot kakehashi@NAME.service; without it all of them"))
      ->check([](const std::string& name) {
        if (const auto why = config::judge_account_name(name)) {
          throw Misuse(say("{}: {}", std::string("NAME"), *why));
        }
        return std::string();
      });
  option(*command, "-n,--lines", options->lines, say("So many lines at the most"))->check(CLI::Range(1, lines_max))->capture_default_str();
  flag(*command, "-f,--follow", options->follows, say("Go on with what they log, until Ctrl-C"));
  command->callback([options, &terminal, &status] { status = show(*options, terminal); });
}

}  // namespace kakehashi::cli
