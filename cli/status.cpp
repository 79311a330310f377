// `kakehashi health`, `kakehashi status`, `kakehashi top`: what a running `kakehashi run --status`
// shows, for Docker, for a status bar and for a terminal.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "base/exit_status.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/option.hpp"
#include "cli/status_options.hpp"
#include "cli/terminal.hpp"
#include "config/io/read_secret.hpp"
#include "watch/io/http_server.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

using watch::io::HttpReply;

constexpr base::Millis patience{5'000};
constexpr base::Millis refreshed_every{1'000};
constexpr int times_max = 1'000'000;
constexpr const char* default_place = "127.0.0.1:9980";

struct ReadOptions {
  StatusOptions place;
  int times = 0;  ///< of top's picture; 0: until interrupted
};

/// Tells what is wrong; nothing then.
std::optional<HttpReply> fetch(const StatusOptions& options, const std::string& path, const Terminal& terminal) {
  const auto read = options.read();
  if (!read) {
    throw Misuse(read.error());
  }
  const auto reply = watch::io::http_get({(*read)->address, (*read)->port, (*read)->token, terminal.output.language()},
                                         path, patience);
  if (!reply) {
    terminal.fault(say("{}; start the bots with 'kakehashi run CONFIG --status {}'", reply.error(), options.where));
    return std::nullopt;
  }
  if (reply->status == 401) {
    terminal.fault(say("a token is needed: give --status-token-file"));
    return std::nullopt;
  }
  if (reply->status != 200 && reply->status != 503) {
    terminal.fault(say("what answers on {} refuses with HTTP status {}: {}", options.where, reply->status,
                       base::quoted(base::trim(reply->body))));
    return std::nullopt;
  }
  return *reply;
}

/// What stands there, as it is. `is_well_without`: a server that is down makes the bots no less well, and a restart would
/// not bring it back.
int show(const ReadOptions& options, const std::string& path, bool is_well_without, const Terminal& terminal) {
  const auto reply = fetch(options.place, path, terminal);
  if (!reply || (reply->status != 200 && !is_well_without)) {
    return base::exit_unavailable;
  }
  std::cout << reply->body;
  return base::exit_ok;
}

int show_top(const ReadOptions& options, const Terminal& terminal) {
  const bool redraws = is_terminal_output();
  const SingleKeys keys;
  for (int shown = 0; options.times == 0 || shown < options.times; ++shown) {
    const auto reply = fetch(options.place, "/api/v1/status", terminal);
    if (!reply || reply->status != 200) {
      return base::exit_unavailable;
    }
    boost::system::error_code failed;
    const auto report = boost::json::parse(reply->body, failed);
    const auto* bots = !failed && report.is_object() ? report.get_object().if_contains("bots") : nullptr;
    if (bots == nullptr || !bots->is_array()) {
      terminal.fault(say("the report cannot be read; is the running program of this version?"));
      return base::exit_internal;
    }
    watch::Look look = look_of_environment();
    look.language = terminal.output.language();
    look.rows = redraws ? screen_rows() : look.rows;  // it may have been made larger meanwhile
    const auto drawn = watch::render_top(bots->get_array(), std::chrono::steady_clock::now(), look);
    std::cout << as_picture << (redraws ? in_place(drawn, look.rows) : drawn) << as_text;
    const bool is_last = options.times != 0 && shown + 1 >= options.times;
    if (is_last || keys.quit_within(refreshed_every)) {
      break;
    }
  }
  std::cout << (redraws ? "\n" : "") << std::flush;
  return base::exit_ok;
}

std::shared_ptr<ReadOptions> add_place(CLI::App& command) {
  const auto options = std::make_shared<ReadOptions>();
  options->place.where = default_place;
  add_status_options(command, options->place);
  command.get_option("--status")
      ->description(say("Where 'kakehashi run --status' shows its bots").english())
      ->default_str(default_place);
  return options;
}

}  // namespace

base::Result<std::optional<watch::io::HttpOptions>, base::Message> StatusOptions::read() const {
  using Failed = base::Failure<base::Message>;
  if (where.empty()) {
    return std::optional<watch::io::HttpOptions>{};
  }
  watch::io::HttpOptions options;
  const std::size_t colon = where.rfind(':');
  if (colon != std::string::npos) {
    options.address = where.substr(0, colon);
    if (options.address.starts_with('[') && options.address.ends_with(']')) {
      options.address = options.address.substr(1, options.address.size() - 2);
    }
  }
  const auto port = base::parse_int(colon == std::string::npos ? where : where.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) {
    return Failed{say("--status wants a port or address:port, such as 9980 or 127.0.0.1:9980, not {}", base::quoted(where))};
  }
  options.port = static_cast<std::uint16_t>(*port);
  if (!token_file.empty()) {
    auto read = config::io::read_token_secret(token_file);
    if (!read.problem.empty()) {
      return Failed{say("{}: {}", read.key, read.problem)};
    }
    options.token = std::move(read.secret);
  }
  return std::optional(std::move(options));
}

void add_status_options(CLI::App& command, StatusOptions& options) {
  option(command, "--status", options.where, say("Show the state of the bots over HTTP: a live page, /metrics for "
                                                 "Prometheus, /healthz, /readyz, /api/v1/status. For this machine only, "
                                                 "unless a token is given"), "[ADDRESS:]PORT");
  option(command, "--status-token-file", options.token_file, say("A file with the word that readers of --status must "
                                                                 "show as a bearer token"), "FILE");
}

void register_status(CLI::App& app, const Terminal& terminal, int& status) {
  auto* line = app.add_subcommand("status", say("Print the state of running bots, in one line").english());
  auto* top = app.add_subcommand("top", say("Watch running bots: boards, clocks, evaluations").english());
  auto* health = app.add_subcommand("health", say("Ask whether running bots are well; for Docker").english());
  line->callback([options = add_place(*line), &terminal, &status] { status = show(*options, "/api/v1/line", false, terminal); });
  top->footer(say("It shows the bots of this machine that run with --status, and those of another one that is named.\n"
                  "Once a second, in place on a terminal; q or Ctrl-C ends it.")
                  .english());
  const auto watched = add_place(*top);
  option(*top, "--times", watched->times, say("Show that many pictures, then end"))->check(CLI::Range(1, times_max));
  top->callback([watched, &terminal, &status] { status = show_top(*watched, terminal); });
  health->callback([options = add_place(*health), &terminal, &status] { status = show(*options, "/readyz", true, terminal); });
}

}  // namespace kakehashi::cli
