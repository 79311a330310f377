// `kakehashi serve`: the embedded CSA server by itself, for trying any client against the rules, the words and the odd
// corners of shogi-server.
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>

#include "base/exit_status.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "base/time.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "config/schema/text.hpp"
#include "daemon/signals.hpp"
#include "rehearse/server/io/server_shell.hpp"

namespace kakehashi::cli {
namespace {

using base::Message;
using base::say;
using base::say_as;

namespace asio = boost::asio;

struct ServeOptions {
  ServeOptions() {
    shell.port = 4081;  // 0: any free one
    shell.seed = std::random_device()();
    shell.settings.floodgate_interval = std::chrono::minutes{30};
  }

  rehearse::server::io::ShellOptions shell;
  bool nagle = false;
  bool shows_lines = false;
};

bool is_loopback(const std::string& address) {
  boost::system::error_code failed;
  const auto parsed = asio::ip::make_address(address, failed);
  return !failed && parsed.is_loopback();
}

Message result_of(const rehearse::server::GameEnded& game) {
  return game.winner ? say("{} wins", game.names[static_cast<std::size_t>(*game.winner)]) : say_as("column", "draw");
}

void tell_report(const rehearse::server::GameReport& report, const Lines& out) {
  std::visit(base::Overload{
                 [&](const rehearse::server::GameStarted& game) { out.line(say("started {}", game.game_id)); },
                 [](const rehearse::server::MovePlayed&) {},
                 [&](const rehearse::server::GameEnded& game) {
                   out.line(say("ended {}: {} ({}, {} moves)", game.game_id, result_of(game),
                                std::string(rehearse::server::summary_word(game.reason)), game.moves.size()));
                 },
                 [&](const rehearse::server::GameRejected& game) {
                   out.line(say("rejected {} by {}", game.game_id, game.by));
                 },
             },
             report);
}

void tell_line(rehearse::server::ConnectionId id, rehearse::server::io::Direction direction,
               std::string_view line) {
  const bool is_from_client = direction == rehearse::server::io::Direction::from_client;
  std::cout << static_cast<std::uint64_t>(id) << (is_from_client ? " < " : " > ")
            << base::quote_for_log(line) << std::endl;
}

rehearse::server::io::ShellCallbacks shell_callbacks(const ServeOptions& options, const Lines& out) {
  rehearse::server::io::ShellCallbacks callbacks;
  callbacks.report = [&out](const rehearse::server::GameReport& report) { tell_report(report, out); };
  if (options.shows_lines) {
    callbacks.line = tell_line;
  }
  return callbacks;
}

void add_rules(CLI::App& command, ServeOptions& options) {
  option(command, "--event", options.shell.settings.event, say("First part of the game ids"), "NAME")
      ->check([](const std::string& text) {
        if (!rehearse::server::is_identifier(text)) {
          throw Misuse(say("--event takes letters, digits and _ @ - . only"));
        }
        return std::string();
      })
      ->capture_default_str();
  option(command, "--max-moves", options.shell.settings.max_moves, say("Draw after that many moves; 0: never"), "N")
      ->check(CLI::Range(0, rehearse::server::Server::plies_max))
      ->capture_default_str();
  option(command, "--least-time", options.shell.settings.least_time_per_move_s, say("Least seconds that a move is charged"), "SECONDS")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--pair-every",
          [&options](const std::string& text) {
            auto& interval = options.shell.settings.floodgate_interval;
            interval.reset();
            if (text == "now") {
              return;
            }
            const auto duration = config::read_duration(text);
            if (!duration || duration->count() <= 0) {
              throw Misuse(say("--pair-every: must be a duration such as 30min, or 'now'"));
            }
            interval = *duration;
          },
          say("Pair floodgate games at multiples of this on the clock, or 'now'").english())
      ->type_name("DURATION")
      ->default_str("30min");
  flag(command, "--late-time-up", options.shell.settings.late_time_up, say("Notice that a silent player's time is over only when "
                                                            "shogi-server would, up to 60 s late"));
  flag(command, "--strict", options.shell.settings.is_strict, say("Hold clients to the CSA protocol 1.2.1 to the letter: a breach loses "
                                                   "the game, or else the connection, which stays open between games"));
  option(command, "--seed", options.shell.seed, say("The seed of colors and pairs, to repeat a run"), "N");
}

/// Runs until SIGTERM or SIGINT; returns the exit status.
int serve(const ServeOptions& options, const Terminal& terminal) {
  asio::io_context context;
  rehearse::server::io::ServerShell server(context, options.shell, shell_callbacks(options, terminal.output));
  const auto port = server.start();
  if (!port) {
    return terminal.fault(port.error(), base::exit_unavailable);
  }
  if (!is_loopback(options.shell.listen_address)) {
    terminal.fault(say("warning: {} can be reached from other machines; this server checks no password and is meant for "
                       "rehearsals", options.shell.listen_address));
  }
  daemon::Signals::Callbacks callbacks;
  callbacks.stop_requested = [&context, &server, &terminal](bridge::Urgency, const char* name) {
    terminal.output.line(say("{}: stopped", std::string(name)));
    server.stop();
    // What the clients have not read by now they will not miss.
    context.stop();
  };
  callbacks.hangup = [] {};
  daemon::Signals signals(context, std::move(callbacks));
  // Last: who waits for this line may stop us at once.
  terminal.output.line(say("listening on {} port {}", options.shell.listen_address, *port));
  context.run();
  return base::exit_ok;
}

}  // namespace

void register_serve(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command =
      app.add_subcommand("serve", say("Run the embedded CSA server, for rehearsals of any client").english());
  const auto options = std::make_shared<ServeOptions>();
  option(*command, "--listen", options->shell.listen_address, say("Address to listen on"), "ADDRESS")
      ->check(CLI::Validator(
          [](const std::string& text) {
            boost::system::error_code failed;
            (void)asio::ip::make_address(text, failed);
            if (failed) {
              throw Misuse(say("--listen takes an IPv4 or IPv6 address"));
            }
            return std::string();
          },
          ""))
      ->capture_default_str();
  option(*command, "--port", options->shell.port, say("Port to listen on; 0: any free one"), "PORT")->capture_default_str();
  add_rules(*command, *options);
  flag(*command, "--nagle", options->nagle, say("Leave Nagle's algorithm on, as the real server does: up to 40 ms a move"));
  flag(*command, "--show-lines", options->shows_lines, say("Print every line, passwords masked"));
  command->callback([options, &terminal, &status] {
    options->shell.no_delay = !options->nagle;
    status = serve(*options, terminal);
  });
}

}  // namespace kakehashi::cli
