// `kakehashi health`, `kakehashi status`, `kakehashi top`: what a running `kakehashi run --status`
// shows, for Docker, for a status bar and for a terminal.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <iostream>
#include <memory>

#include "base/exit_status.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/screen.hpp"
#include "cli/status_options.hpp"
#include "cli/terminal.hpp"
#include "watch/io/http_server.hpp"
#include "watch/live_view.hpp"

namespace kakehashi::cli {
namespace {

using watch::io::HttpReply;

constexpr base::Millis patience{5'000};
constexpr base::Millis refreshed_every{1'000};
constexpr int times_max = 1'000'000;
constexpr const char* default_place = "127.0.0.1:9980";

struct ReadOptions {
  StatusOptions place;
  int times = 0;  ///< of top's picture; 0: until interrupted
};

/// Prints what is wrong; nothing then.
std::optional<HttpReply> fetch(const StatusOptions& options, const std::string& path) {
  const auto read = options.read();
  if (!read) {
    throw CLI::ValidationError(read.error());
  }
  const auto reply = watch::io::http_get({(*read)->address, (*read)->port, (*read)->token}, path,
                                          patience);
  if (!reply) {
    std::cerr << "kakehashi: " << reply.error() << "; start the bots with 'kakehashi run CONFIG --status "
              << options.where << "'\n";
    return std::nullopt;
  }
  if (reply->status == 401) {
    std::cerr << "kakehashi: a token is needed: give --status-token-file\n";
    return std::nullopt;
  }
  if (reply->status != 200 && reply->status != 503) {
    std::cerr << "kakehashi: what answers on " << options.where << " refuses with HTTP status "
              << reply->status << ": " << base::quote_for_log(base::trim(reply->body)) << '\n';
    return std::nullopt;
  }
  return *reply;
}

int show_health(const ReadOptions& options) {
  const auto reply = fetch(options.place, "/readyz");
  if (!reply) {
    return base::exit_unavailable;
  }
  std::cout << reply->body;
  // Waiting for a server that is down is healthy: a restart would not bring it back.
  return reply->status == 200 || reply->status == 503 ? base::exit_ok : base::exit_unavailable;
}

int show_line(const ReadOptions& options) {
  const auto reply = fetch(options.place, "/api/v1/line");
  if (!reply || reply->status != 200) {
    return base::exit_unavailable;
  }
  std::cout << reply->body;
  return base::exit_ok;
}

int show_top(const ReadOptions& options) {
  const bool redraws = is_terminal_output();
  const SingleKeys keys;
  for (int shown = 0; options.times == 0 || shown < options.times; ++shown) {
    const auto reply = fetch(options.place, "/api/v1/status");
    if (!reply || reply->status != 200) {
      return base::exit_unavailable;
    }
    boost::system::error_code failed;
    const auto report = boost::json::parse(reply->body, failed);
    const auto* bots = !failed && report.is_object() ? report.get_object().if_contains("bots") : nullptr;
    if (bots == nullptr || !bots->is_array()) {
      std::cerr << "kakehashi: the report cannot be read; is the running program of this version?\n";
      return base::exit_internal;
    }
    watch::Look look = look_of_environment();
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
      ->description("Where 'kakehashi run --status' shows its bots")
      ->default_str(default_place);
  return options;
}

}  // namespace

void register_status(CLI::App& app, const Terminal&, int& status) {
  auto* line = app.add_subcommand("status", "Print the state of running bots, in one line");
  auto* top = app.add_subcommand("top", "Watch running bots: boards, clocks, evaluations");
  auto* health = app.add_subcommand("health", "Ask whether running bots are well; for Docker");
  line->callback([options = add_place(*line), &status] { status = show_line(*options); });
  top->footer("It shows the bots of this machine that run with --status, and those of another one that is named.\n"
              "Once a second, in place on a terminal; q or Ctrl-C ends it.");
  const auto watched = add_place(*top);
  top->add_option("--times", watched->times, "Show that many pictures, then end")
      ->check(CLI::Range(1, times_max));
  top->callback([watched, &status] { status = show_top(*watched); });
  health->callback([options = add_place(*health), &status] { status = show_health(*options); });
}

}  // namespace kakehashi::cli
