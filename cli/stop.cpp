// `kakehashi stop`, `kakehashi reload` and `kakehashi upgrade`: asks the bots that run on this machine.
#include <CLI/CLI.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "base/exit_status.hpp"
#include "cli/command_line.hpp"
#include "cli/status_options.hpp"
#include "daemon/control.hpp"
#include "holder/holder.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

namespace asio = boost::asio;

struct AskOptions {
  StatusOptions place;
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

void add_place(CLI::App& command, AskOptions& options) {
  options.place.where = "9980";
  command.add_option("--status", options.place.where, say("The port that 'kakehashi run --status' was given").english())
      ->type_name("PORT")
      ->capture_default_str();
}

}  // namespace

void register_control(CLI::App& app, const Terminal& terminal, int& status) {
  const auto stopping = std::make_shared<AskOptions>();
  auto* stop = app.add_subcommand("stop", say("Ask running bots to finish their game, and to leave then").english());
  add_place(*stop, *stopping);
  auto* resign = stop->add_flag("--resign", stopping->resigns, say("Resign a running game on our turn").english());
  stop->add_flag("--now", stopping->leaves_now, say("Leave at once, whatever becomes of a running game").english())->excludes(resign);
  stop->footer(say("It returns when the bots have been told; 'kakehashi status' shows what they do. Only the user that "
                   "the bots run as, and root, may ask.")
                   .english());
  stop->callback([stopping, &terminal, &status] {
    status = ask(*stopping, stopping->leaves_now ? "stop now" : stopping->resigns ? "stop resign" : "stop", terminal);
  });
  const auto reloading = std::make_shared<AskOptions>();
  auto* reload = app.add_subcommand("reload", say("Have running bots read their configuration again").english());
  add_place(*reload, *reloading);
  reload->footer(say("A configuration with any problem changes nothing: the problems are shown, and the exit status is 78.")
                     .english());
  reload->callback([reloading, &terminal, &status] { status = ask(*reloading, "reload", terminal); });
  const auto upgrading = std::make_shared<AskOptions>();
  auto* upgrade = app.add_subcommand("upgrade", say("Have running bots go on with the program that is installed now").english());
  add_place(*upgrade, *upgrading);
  upgrade->footer(say("The file that the running program was started from is tried first. If it can go on with the running games, "
                      "it takes them over in mid-game; if not, it begins anew behind them; and if it does not run, nothing is "
                      "changed, and the exit status is 78.")
                      .english());
  upgrade->callback([upgrading, &terminal, &status] { status = ask(*upgrading, "upgrade", terminal, holder::trial_max + daemon::answer_max); });
}

}  // namespace kakehashi::cli
