// `kakehashi stop`, `kakehashi reload` and `kakehashi upgrade`: asks the bots that run on this machine.
#include <CLI/CLI.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "cli/status_options.hpp"
#include "daemon/control.hpp"
#include "holder/holder.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

namespace asio = boost::asio;

struct AskOptions {
  StatusOptions place{"9980", ""};
  bool resigns = false;
  bool leaves_now = false;
};

int ask(const AskOptions& options, const std::string& request, const Terminal& terminal, base::Millis patience = daemon::answer_max) {
  const auto read = options.place.read();
  if (!read) {
    throw Misuse(read.error());
  }
  boost::system::error_code not_numeric;
  const auto address = asio::ip::make_address((*read)->address, not_numeric);
  if (not_numeric || !(address.is_loopback() || address.is_unspecified())) {
    throw Misuse(say("--status: the bots of another machine are asked there, over ssh for example"));
  }
  const auto reply = daemon::ask_control((*read)->port, request, terminal.output.language(), patience);
  if (!reply) {
    terminal.fault(say("{}; a bot without --status is asked by its service (systemctl stop, systemctl reload) or by a "
                       "signal (SIGTERM, SIGHUP)", reply.error()));
    return base::exit_unavailable;
  }
  if (reply->stranger) {
    terminal.fault(say("answered by process {} of user {}; if the bots run as another user, they have not been asked",
                       reply->stranger->process, reply->stranger->user));
  }
  (reply->is_done ? std::cout : std::cerr) << reply->text;
  return reply->is_done ? base::exit_ok : base::exit_config;
}

}  // namespace

void register_control(CLI::App& app, const Terminal& terminal, int& status) {
  const auto options = std::make_shared<AskOptions>();
  const auto add = [&](const char* name, const base::Message& help, const base::Message& footer, const auto& run) {
    auto* command = app.add_subcommand(name, help.english());
    option(*command, "--status", options->place.where, say("The port that 'kakehashi run --status' was given"), "PORT")
        ->capture_default_str();
    command->footer(footer.english());
    command->callback([options, run, &status] { status = run(*options); });
    return command;
  };
  auto* stop = add("stop", say("Ask running bots to finish their game, and to leave then"),
                   say("It returns when the bots have been told; 'kakehashi status' shows what they do. Only the user that "
                       "the bots run as, and root, may ask."),
                   [&terminal](const AskOptions& asked) {
                     return ask(asked, asked.leaves_now ? "stop now" : asked.resigns ? "stop resign" : "stop", terminal);
                   });
  auto* resign = flag(*stop, "--resign", options->resigns, say("Resign a running game on our turn"));
  flag(*stop, "--now", options->leaves_now, say("Leave at once, whatever becomes of a running game"))->excludes(resign);
  add("reload", say("Have running bots read their configuration again"),
      say("A configuration with any problem changes nothing: the problems are shown, and the exit status is 78."),
      [&terminal](const AskOptions& asked) { return ask(asked, "reload", terminal); });
  add("upgrade", say("Have running bots go on with the program that is installed now"),
      say("The file that the running program was started from is tried first. If it can go on with the running games, "
          "it takes them over in mid-game; if not, it begins anew behind them; and if it does not run, nothing is "
          "changed, and the exit status is 78."),
      [&terminal](const AskOptions& asked) { return ask(asked, "upgrade", terminal, holder::trial_max + daemon::answer_max); });
}

}  // namespace kakehashi::cli
