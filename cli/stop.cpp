// `kakehashi stop` and `kakehashi reload`: asks the bots that run on this machine.
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

namespace kakehashi::cli {
namespace {

namespace asio = boost::asio;

struct AskOptions {
  StatusOptions place;
  bool resigns = false;
  bool leaves_now = false;
};

int ask(const AskOptions& options, const std::string& request) {
  const auto read = options.place.read();
  if (!read) {
    throw CLI::ValidationError(read.error());
  }
  boost::system::error_code not_numeric;
  const auto address = asio::ip::make_address((*read)->address, not_numeric);
  if (not_numeric || !(address.is_loopback() || address.is_unspecified())) {
    throw CLI::ValidationError("--status", "the bots of another machine are asked there, over ssh for example");
  }
  const auto reply = daemon::ask_control((*read)->port, request);
  if (!reply) {
    std::cerr << "kakehashi: " << reply.error()
              << "; a bot without --status is asked by its service (systemctl stop, systemctl reload) or by a "
                 "signal (SIGTERM, SIGHUP)\n";
    return base::exit_unavailable;
  }
  if (reply->stranger) {
    std::cerr << "kakehashi: answered by process " << reply->stranger->process << " of user " << reply->stranger->user
              << "; if the bots run as another user, they have not been asked\n";
  }
  (reply->is_done ? std::cout : std::cerr) << reply->text;
  return reply->is_done ? base::exit_ok : base::exit_config;
}

void add_place(CLI::App& command, AskOptions& options) {
  options.place.where = "9980";
  command.add_option("--status", options.place.where, "The port that 'kakehashi run --status' was given")
      ->type_name("PORT")
      ->capture_default_str();
}

}  // namespace

void register_control(CLI::App& app, const Terminal&, int& status) {
  const auto stopping = std::make_shared<AskOptions>();
  auto* stop = app.add_subcommand("stop", "Ask running bots to finish their game, and to leave then");
  add_place(*stop, *stopping);
  auto* resign = stop->add_flag("--resign", stopping->resigns, "Resign a running game on our turn");
  stop->add_flag("--now", stopping->leaves_now, "Leave at once, whatever becomes of a running game")->excludes(resign);
  stop->footer("\nIt returns when the bots have been told; 'kakehashi status' shows what they do. Only the user that "
               "the bots run as, and root, may ask.");
  stop->callback([stopping, &status] {
    status = ask(*stopping, stopping->leaves_now ? "stop now" : stopping->resigns ? "stop resign" : "stop");
  });
  const auto reloading = std::make_shared<AskOptions>();
  auto* reload = app.add_subcommand("reload", "Have running bots read their configuration again");
  add_place(*reload, *reloading);
  reload->footer("\nA configuration with any problem changes nothing: the problems are shown, and the exit status is 78.");
  reload->callback([reloading, &status] { status = ask(*reloading, "reload"); });
}

}  // namespace kakehashi::cli
