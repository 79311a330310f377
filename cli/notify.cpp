// `kakehashi notify test`: a message to each receiver of a configuration, and what comes back.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "base/exit_status.hpp"
#include "base/io/clocks.hpp"
#include "cli/command_line.hpp"
#include "cli/load_config.hpp"
#include "cli/log_options.hpp"
#include "cli/option.hpp"
#include "daemon/log_sink.hpp"
#include "watch/io/notifier.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

struct TestOptions {
  std::string path;
  LogOptions log;
};

int test_receivers(const TestOptions& options, const Terminal& terminal) {
  const std::string& path = options.path;
  auto config = load_config(path, config::io::Passwords::leave, terminal);
  if (!config) {
    return base::exit_config;
  }
  options.log.apply_to(*config);
  if (config->notify.empty()) {
    return terminal.fault(say("{} has no recipient below notify:", path), base::exit_config);
  }
  watch::Notice notice;
  notice.event = config::NotifyEvent::test;
  notice.bot = config->name;
  notice.text = base::say("this is a test: notifications of the bot arrive here");
  notice.language = daemon::language_of(config->log);
  int status = base::exit_ok;
  for (const config::Notify& receiver : config->notify) {
    notice.at = base::io::read_clocks().wall;
    const watch::io::Delivery delivery = watch::io::deliver(receiver, notice);
    const auto name = watch::io::name_of(receiver);
    terminal.output.line(delivery.is_delivered ? say("{}: delivered ({})", name, delivery.answer)
                                               : say("{}: not delivered ({})", name, delivery.answer));
    status = delivery.is_delivered ? status : base::exit_unavailable;
  }
  return status;
}

}  // namespace

void register_notify(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand("notify", say("Try the notifications of a bot").english());
  command->require_subcommand(1);
  auto* test = command->add_subcommand("test", say("Send a test message to each recipient, and show the answers").english());
  const auto options = std::make_shared<TestOptions>();
  option(*test, "CONFIG", options->path, say("Configuration file"))->required();
  add_log_language_option(*test, options->log);
  test->footer(say("Each gets it once, with its own template and the event \"test\", whatever its events are. The exit "
                   "status is 69 when one did not take it.").english());
  test->callback([options, &terminal, &status] { status = test_receivers(*options, terminal); });
}

}  // namespace kakehashi::cli
