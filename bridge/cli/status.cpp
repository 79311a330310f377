// `kakehashi health`, `kakehashi status`, `kakehashi top`: what a running `kakehashi run --status`
// shows, for Docker, for a status bar and for a terminal.
#include <CLI/CLI.hpp>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

#include "base/text.hpp"
#include "bridge/cli/command_line.hpp"
#include "bridge/cli/exit_status.hpp"
#include "bridge/cli/live_view.hpp"
#include "bridge/cli/status_options.hpp"
#include "shogi/notation/usi.hpp"
#include "status/io/http_get.hpp"

namespace kakehashi::bridge::cli {
namespace {

using status::io::HttpPlace;
using status::io::HttpReply;

constexpr base::Millis patience{5'000};
constexpr const char* default_place = "127.0.0.1:9980";

struct ReadOptions {
  StatusOptions place;
  int times = 0;  ///< of top's picture; 0: until interrupted
};

/// Prints what is wrong; nothing then.
std::optional<HttpReply> fetch(const StatusOptions& options, const std::string& path) {
  auto read = options.read();
  if (!read) {
    std::cerr << "kakehashi: " << read.error() << '\n';
    return std::nullopt;
  }
  const auto reply = status::io::http_get({(*read)->address, (*read)->port, (*read)->token}, path,
                                          patience);
  if (!reply) {
    std::cerr << "kakehashi: " << reply.error() << "; start the bots with 'kakehashi run --status "
              << options.where << "'\n";
    return std::nullopt;
  }
  if (reply->status == 401) {
    std::cerr << "kakehashi: a token is needed: give --status-token-file\n";
    return std::nullopt;
  }
  return *reply;
}

int show_health(const ReadOptions& options) {
  const auto reply = fetch(options.place, "/readyz");
  if (!reply) {
    return exit_unavailable;
  }
  std::cout << reply->body;
  // Waiting for a server that is down is healthy: a restart would not bring it back.
  return reply->status == 200 || reply->status == 503 ? exit_ok : exit_unavailable;
}

int show_line(const ReadOptions& options) {
  const auto reply = fetch(options.place, "/api/v1/line");
  if (!reply || reply->status != 200) {
    return exit_unavailable;
  }
  std::cout << reply->body;
  return exit_ok;
}

std::string text_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::int64_t number_at(const boost::json::object& from, const char* key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

std::optional<base::Millis> clock_at(const boost::json::object& game, const char* side) {
  const auto* clocks = game.if_contains("clocks");
  const auto* clock = clocks != nullptr && clocks->is_object() ? clocks->get_object().if_contains(side) : nullptr;
  if (clock == nullptr || !clock->is_object() || !clock->get_object().contains("main_time_ms")) {
    return std::nullopt;
  }
  return base::Millis{number_at(clock->get_object(), "main_time_ms")};
}

/// The game of a report, as the live view of a rehearsal takes it.
GameView read_game(const boost::json::object& game, base::SteadyTime now) {
  GameView view;
  view.game_id = text_at(game, "id");
  view.black_name = text_at(game, "black");
  view.white_name = text_at(game, "white");
  if (const auto position = shogi::usi::parse_sfen(text_at(game, "sfen"))) {
    view.position = *position;
  }
  if (const auto* moves = game.if_contains("moves"); moves != nullptr && moves->is_array()) {
    for (const auto& move : moves->get_array()) {
      if (move.is_object()) {
        view.moves.push_back({text_at(move.get_object(), "move"),
                              base::Millis{number_at(move.get_object(), "consumed_ms")}});
      }
    }
  }
  view.black_main_time = clock_at(game, "black");
  view.white_main_time = clock_at(game, "white");
  view.turn_started = now - base::Millis{number_at(game, "turn_running_ms")};
  if (const auto* end = game.if_contains("end"); end != nullptr && end->is_object()) {
    const std::string outcome = text_at(end->get_object(), "outcome");
    view.end = csa::GameEnd{outcome == "win"    ? csa::Outcome::win
                            : outcome == "lose" ? csa::Outcome::lose
                            : outcome == "draw" ? csa::Outcome::draw
                                                : csa::Outcome::none,
                            text_at(end->get_object(), "reason"), {}};
  }
  view.our_color = text_at(game, "our_color") == "white" ? shogi::Color::white : shogi::Color::black;
  return view;
}

std::optional<ViewedScore> read_score(const boost::json::object& game) {
  const auto* score = game.if_contains("score");
  if (score == nullptr || !score->is_object()) {
    return std::nullopt;
  }
  const auto& from = score->get_object();
  const auto* mate = from.if_contains("mate");
  return ViewedScore{mate != nullptr && mate->is_bool() && mate->get_bool(), number_at(from, "value"),
                     number_at(from, "depth"), text_at(from, "pv")};
}

std::string picture(const boost::json::object& bot, const Look& look) {
  const auto now = std::chrono::steady_clock::now();
  const auto* window = bot.if_contains("window");
  const bool waits = window != nullptr && window->is_object();
  std::string text = text_at(bot, "name") + ": " + text_at(bot, "phase") +
                     (waits ? " " + text_at(window->get_object(), "text") : "") + "\n";
  if (const auto* game = bot.if_contains("game"); game != nullptr && game->is_object()) {
    const GameView view = read_game(game->get_object(), now);
    WatchedGame watched;
    watched.number = static_cast<int>(number_at(bot, "games_finished")) + (view.end ? 0 : 1);
    watched.count = watched.number;
    watched.game = &view;
    const auto* engine = bot.if_contains("engine");
    const std::string name =
        engine != nullptr && engine->is_object() ? text_at(engine->get_object(), "name") : "";
    const bool is_black = view.our_color == shogi::Color::black;
    const bool is_standby = !name.empty() && text_at(engine->get_object(), "role") == "standby";
    (is_black ? watched.black_engine : watched.white_engine) = name + (is_standby ? " (standby)" : "");
    (is_black ? watched.black_score : watched.white_score) = read_score(game->get_object());
    text += render_live_view(watched, now, look);
  }
  return text + "\n";
}

int show_top(const ReadOptions& options) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) == 1;
  const Look look{true, is_terminal};
  for (int shown = 0; options.times == 0 || shown < options.times; ++shown) {
    const auto reply = fetch(options.place, "/api/v1/status");
    if (!reply || reply->status != 200) {
      return exit_unavailable;
    }
    boost::system::error_code failed;
    const auto report = boost::json::parse(reply->body, failed);
    const auto* bots = !failed && report.is_object() ? report.get_object().if_contains("bots") : nullptr;
    if (bots == nullptr || !bots->is_array()) {
      std::cerr << "kakehashi: the report cannot be read; is the running program of this version?\n";
      return exit_internal;
    }
    std::string screen = is_terminal ? "\x1b[H\x1b[2J" : "";
    for (const auto& bot : bots->get_array()) {
      if (bot.is_object()) {
        screen += picture(bot.get_object(), look);
      }
    }
    std::cout << screen << std::flush;
    if (options.times == 0 || shown + 1 < options.times) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }
  return exit_ok;
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

void register_status(CLI::App& app, int& status) {
  auto* line = app.add_subcommand("status", "Print the state of running bots, in one line");
  auto* top = app.add_subcommand("top", "Watch running bots: boards, clocks, evaluations");
  auto* health = app.add_subcommand("health", "Ask whether running bots are well; for Docker");
  line->callback([options = add_place(*line), &status] { status = show_line(*options); });
  const auto watched = add_place(*top);
  top->add_option("--times", watched->times, "Show that many pictures, then end")
      ->check(CLI::PositiveNumber);
  top->callback([watched, &status] { status = show_top(*watched); });
  health->callback([options = add_place(*health), &status] { status = show_health(*options); });
}

}  // namespace kakehashi::bridge::cli
