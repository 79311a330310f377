// `kakehashi rehearse`: the configured engine against itself, or against another configuration's.
#include <fmt/chrono.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/checksum.hpp"
#include "base/exit_status.hpp"
#include "base/io/file.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "bridge/engine_seats.hpp"
#include "cli/command_line.hpp"
#include "cli/load_config.hpp"
#include "cli/log_options.hpp"
#include "cli/option.hpp"
#include "cli/rehearsal_show.hpp"
#include "cli/terminal.hpp"
#include "config/schema/plain_settings.hpp"
#include "rehearse/io/fault_proxy.hpp"
#include "rehearse/io/rehearsal_pair.hpp"
#include "rehearse/io/series_file.hpp"
#include "rehearse/rehearsal_report.hpp"
#include "rehearse/series.hpp"
#include "rehearse/server/game_name.hpp"
#include "rehearse/server/server.hpp"
#include "rehearse/sprt.hpp"
#include "rehearse/start_positions.hpp"
#include "usi/io/spawn.hpp"

namespace kakehashi::cli {
namespace {

using base::say;
using base::say_as;

constexpr int games_max = 100'000;
constexpr int concurrency_max = 64;
constexpr double sprt_elo_max = 500;

struct RehearseOptions {
  std::string config;
  std::string config2;
  std::string game_name;  ///< empty: see default_game_name()
  std::string event;
  std::string faults = "none";
  std::optional<int> games;
  int concurrency = 1;
  std::string openings;
  bool is_tested = false;  ///< by SPRT
  rehearse::SprtRules sprt;
  std::string directory;
  std::optional<int> max_moves;
  std::int64_t least_time_s = rehearse::io::RehearsalPlan().least_time_s;
  bool watch = is_terminal_output();
  LogOptions log;
};

/// The show has standard output; of the log only what matters joins it, unless asked for.
void quieten(config::BotConfig& bot, const RehearseOptions& options) {
  if (bot.log.file.empty()) {
    bot.log.level = options.watch ? config::LogLevel::error : config::LogLevel::warn;
  }
  options.log.apply_to(bot);
}

/// The configured game, but for floodgate's: nobody wants to wait that long on a first try. A
/// wish for a color is left out, for it would be both bots' wish.
std::string default_game_name(const config::BotConfig& config) {
  std::string_view name = config.game.name;
  (void)rehearse::server::take_color_suffix(name);
  const auto parsed = rehearse::server::parse_game_name(name);
  return parsed && !parsed->is_floodgate ? parsed->text : rehearse::io::RehearsalPlan().game_name;
}

/// Several games as one measurement, rather than games to look at.
bool is_series(const RehearseOptions& options) {
  return options.concurrency > 1 || !options.openings.empty() || options.is_tested || !options.directory.empty();
}

/// "0,5": the differences of the two hypotheses.
void read_sprt(const std::string& text, rehearse::SprtRules& into) {
  const auto parts = base::split(text, ',');
  std::array<double, 2> elo{};
  for (std::size_t i = 0; i < elo.size() && parts.size() == elo.size(); ++i) {
    const std::string_view part = base::trim(parts[i]);
    const auto [end, wrong] = std::from_chars(part.data(), part.data() + part.size(), elo[i]);
    if (wrong != std::errc() || end != part.data() + part.size() || !(std::abs(elo[i]) <= sprt_elo_max)) {
      throw Misuse(say("--sprt: takes two differences in Elo, such as 0,5, from -500 to 500"));
    }
  }
  if (parts.size() != elo.size() || elo[0] >= elo[1]) {
    throw Misuse(say("--sprt: takes two differences in Elo, such as 0,5, of which the first is the smaller one"));
  }
  into.elo0 = elo[0];
  into.elo1 = elo[1];
}

/// What of a configuration decides how its engine plays: the rest may change while a series is interrupted.
bool matters_to_play(const std::string& key) {
  constexpr std::array apart{"server", "account", "records", "archive", "journal", "notify",
                             "log",    "schedule", "stop"};
  return std::none_of(apart.begin(), apart.end(), [&key](const std::string& section) {
    return key == section || key.starts_with(section + ".");
  });
}

/// An engine that was built anew under its old name is another engine.
std::string trace_of_file(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) {
    return "";  // found by PATH, or there later
  }
  const std::chrono::sys_seconds at{base::Seconds{found.st_mtim.tv_sec}};
  return fmt::format("{} bytes of {:%Y-%m-%d %H:%M:%S}", found.st_size, base::calendar(at));
}

rehearse::io::SeriesSettings settings_of(const rehearse::io::RehearsalPlan& plan, const std::optional<rehearse::SprtRules>& sprt, const std::string& starts) {
  rehearse::io::SeriesSettings settings{{"--game-name", plan.game_name},
                          {"--max-moves", std::to_string(plan.max_moves)},
                          {"--least-time", std::to_string(plan.least_time_s)}};
  if (!plan.starts.empty()) {
    settings["--openings"] =
        std::to_string(plan.starts.size()) + " positions, CRC-32C " + std::to_string(base::crc32c(starts));
  }
  if (sprt) {
    settings["--sprt"] = fmt::format("{:g},{:g} alpha {:g} beta {:g} {}", sprt->elo0, sprt->elo1, sprt->alpha, sprt->beta,
                                     sprt->model == rehearse::EloModel::normalized ? "normalized" : "logistic");
  }
  for (std::size_t i = 0; i < plan.configs.size(); ++i) {
    const std::string side = i == 0 ? "CONFIG " : "CONFIG2 ";
    const config::BotConfig& config = plan.configs[i];
    settings[side + "account.name"] = config.account.name;
    for (const auto& setting : config::plain_settings(config)) {
      if (matters_to_play(setting.key)) {
        settings[side + setting.key] = base::join(setting.values, ", ");
      }
    }
    for (const bridge::EngineSeat& seat : bridge::seats_of(config.engine)) {
      if (!seat.engine.command.empty()) {
        settings[side + seat.who.english() + "'s file"] = trace_of_file(seat.engine.command.front());
      }
    }
  }
  return settings;
}

/// Of this machine, while it is the bot's time to think.
int threads_at_once(const config::Engine& first) {
  int threads = 0;
  for (const bridge::EngineSeat& seat : bridge::seats_of(first)) {
    threads += seat.engine.host.empty() ? bridge::threads_of(seat.engine) : 0;
    if (!bridge::thinks_together(first)) {
      break;  // the others wait
    }
  }
  return threads;
}

/// Engines that wait for a processor play worse than they can, and not both of a game alike.
void warn_of_threads(const rehearse::io::RehearsalPlan& plan, const Terminal& terminal) {
  const auto& [first, second] = plan.configs;
  const bool both_think = first.ponder != config::Ponder::off || second.ponder != config::Ponder::off;
  const int a = threads_at_once(first.engine);
  const int b = threads_at_once(second.engine);
  const int wanted = plan.concurrency * (both_think ? a + b : std::max(a, b));
  const auto processors = static_cast<int>(usi::io::processors().size());
  if (wanted > processors) {
    const base::Message games = games_text(plan.concurrency);
    terminal.fault(say("warning: the engines think with {} threads at a time ({}) and this machine has {}: games are not what "
                       "they would be, lower --concurrency or the option Threads",
                       wanted, both_think ? say("{}, both sides of each", games) : games,
                       processors == 1 ? say("{} processor", 1) : say("{} processors", processors)));
  }
}

void tell(const std::vector<rehearse::RehearsalReport::Line>& lines, const Lines& output) {
  for (const auto& line : lines) {
    output.labelled(line.about, line.text, label_columns);
  }
}

/// What will be played, and what of it has been.
base::Message opening_line(const rehearse::io::RehearsalPlan& plan, const rehearse::Series& series, const PlayerNames& names) {
  if (series.is_over()) {
    return say("{} against {}: {} in {}; nothing is left to be played", names[0], names[1], games_text(series.played()),
               plan.directory);
  }
  const base::Message games = games_text(series.rules().games);
  base::Message line = series.rules().sprt ? say("{} against {}: at most {}", names[0], names[1], games)
                                           : say("{} against {}: {}", names[0], names[1], games);
  if (plan.concurrency > 1) {
    line = say("{}, {} at a time", line, plan.concurrency);
  }
  if (!plan.starts.empty()) {
    line = plan.starts.size() == 1 ? say("{}, from {} position", line, 1)
                                   : say("{}, from {} positions", line, plan.starts.size());
  }
  return plan.directory.empty() ? line : say("{}; {} of them are in {}", line, series.played(), plan.directory);
}

int play_series(rehearse::io::RehearsalPlan& plan, rehearse::Series& series, const PlayerNames& names, const RehearseOptions& options,
                const std::string& starts, const Terminal& terminal) {
  plan.is_series = true;
  plan.directory = options.directory;
  std::optional<rehearse::io::SeriesFile> file;
  if (!plan.directory.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(plan.directory, failed);
    const std::string results = plan.directory + "/results.jsonl";
    const std::string games = plan.directory + "/games.db";
    if (!base::io::exists(results) && base::io::exists(games)) {
      return terminal.fault(say("{}: this is the archive of something else, for there is no results.jsonl beside it, and the games "
                          "of both would be mixed; name another directory with --out", games),
                      base::exit_cannot_create);
    }
    auto opened = rehearse::io::SeriesFile::open(results, settings_of(plan, series.rules().sprt, starts));
    if (!opened) {
      return terminal.fault(say("{}; name another directory with --out", opened.error()), base::exit_cannot_create);
    }
    file.emplace(std::move(*opened));
    for (const auto& result : file->earlier()) {
      series.take(result);
    }
  }
  if (!series.is_over()) {
    warn_of_threads(plan, terminal);
  }
  terminal.output.line(opening_line(plan, series, names));
  SeriesShow show(terminal.output, series, names, options.watch && !series.is_over());
  rehearse::RehearsalReport report;
  const int status = rehearse::io::play_rehearsal(plan, series, show, report, [&file](const rehearse::SeriesResult& result) {
    return file ? file->add(result) : base::Message();
  });
  terminal.output.blank();
  tell(summary_lines(series, names), terminal.output);
  tell(report.warnings(names), terminal.output);
  if (!series.is_over()) {
    terminal.output.labelled(say_as("column", "stopped"),
                             file ? say("the same command goes on from here")
                                  : say("with --out DIRECTORY the same command could go on from here"),
                             label_columns);
  }
  return status;
}

int rehearse(const RehearseOptions& options, const Terminal& terminal) {
  if (!options.game_name.empty() && !rehearse::server::parse_game_name(options.game_name)) {
    return terminal.fault(say("--game-name: {} is no game name; it reads LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF",
                        base::quoted(options.game_name)),
                    base::exit_usage);
  }
  // No password is needed here: the embedded server is told one of its own.
  const auto leave = config::io::Passwords::leave;
  auto first = load_config(options.config, leave, terminal);
  auto second = options.config2.empty() ? first : load_config(options.config2, leave, terminal);
  if (!first || !second) {
    return base::exit_config;
  }
  rehearse::io::RehearsalPlan plan;
  std::string starts;
  if (!options.openings.empty()) {
    auto text = base::io::read_whole(options.openings);
    if (!text) {
      return terminal.fault(say("cannot read {}: {}", base::quoted(options.openings, 400), base::io::last_error()),
                      base::exit_no_input);
    }
    starts = std::move(*text);
    auto read = rehearse::read_start_positions(starts);
    if (!read) {
      return terminal.fault(say("{}:{}", options.openings, read.error()), base::exit_data);
    }
    plan.starts = std::move(*read);
  }
  const auto habits = rehearse::io::habits_of(options.event);
  plan.habits = habits.value_or(rehearse::io::EventHabits{});
  plan.faults = rehearse::io::faults_of(options.faults).value_or(rehearse::io::Faults{});
  plan.game_name = !options.game_name.empty() ? options.game_name
                   : habits                   ? habits->game_name
                                              : default_game_name(*first);
  plan.configs = {std::move(*first), std::move(*second)};
  plan.max_moves = options.max_moves.value_or(plan.habits.max_moves);
  plan.least_time_s = options.least_time_s;
  plan.seed = std::random_device()();
  plan.concurrency = options.concurrency;
  plan.is_judged = !options.event.empty() || options.faults != "none";
  quieten(plan.configs[0], options);

  rehearse::SeriesRules rules;
  rules.sprt = options.is_tested ? std::optional(options.sprt) : std::nullopt;
  rules.starts = std::max<std::size_t>(1, plan.starts.size());
  rules.games = options.games.value_or(options.is_tested      ? games_max
                                       : plan.starts.empty() ? 1
                                                             : static_cast<int>(std::min<std::size_t>(
                                                                   games_max, 2 * plan.starts.size())));
  rehearse::Series series(rules);
  const auto bots = rehearse::io::prepare_configs(plan, 0);
  const PlayerNames names{bots[0].account.name, bots[1].account.name};
  if (is_series(options)) {
    return play_series(plan, series, names, options, starts, terminal);
  }
  watch::Look look = look_of_environment();
  look.language = terminal.output.language();
  RehearsalShow show(terminal.output, rules.games, options.watch, look);
  rehearse::RehearsalReport report;
  const int status = rehearse::io::play_rehearsal(plan, series, show, report);
  show.tell_results(names[0], names[1]);
  if (!options.config2.empty()) {
    tell(strength_lines(series, names), terminal.output);
  }
  if (!plan.is_judged) {
    tell(report.warnings(names), terminal.output);
    return status;
  }
  const auto verdict = report.judge(names, rules.games, show.games_finished(), plan.faults.delay_max);
  terminal.output.blank();
  tell(verdict.lines, terminal.output);
  return status != base::exit_ok || verdict.problems.empty() ? status : base::exit_differs;
}

void add_series_options(CLI::App& command, RehearseOptions& options) {
  option(command, "--concurrency", options.concurrency, say("Games at a time, each with engines of its own, which stay "
                                                            "loaded from game to game"), "N")
      ->check(CLI::Range(1, concurrency_max))
      ->capture_default_str();
  option(command, "--openings", options.openings, say("Start positions, one a line, each played twice with changed "
                                                      "colors: \"startpos moves …\", \"sfen …\", the same behind "
                                                      "\"position\", or a plain SFEN"), "FILE");
  command
      .add_option_function<std::string>(
          "--sprt",
          [&options](const std::string& text) {
            options.is_tested = true;
            read_sprt(text, options.sprt);
          },
          say("Play until it is known (SPRT, of pairs of games) whether CONFIG is stronger than CONFIG2 by ELO1 rather than by "
              "ELO0, such as 0,5; --games limits it").english())
      ->type_name("ELO0,ELO1");
  const auto share = CLI::Range(0.0001, 0.4999);
  option(command, "--sprt-alpha", options.sprt.alpha, say("How often ELO1 may be accepted although ELO0 holds"), "SHARE")
      ->check(share)
      ->capture_default_str();
  option(command, "--sprt-beta", options.sprt.beta, say("How often ELO0 may be accepted although ELO1 holds"), "SHARE")
      ->check(share)
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--sprt-model",
          [&options](const std::string& word) {
            options.sprt.model = word == "normalized" ? rehearse::EloModel::normalized : rehearse::EloModel::logistic;
          },
          say("What ELO0 and ELO1 are given in: logistic, the usual Elo, or normalized by how much results spread").english())
      ->check(CLI::IsMember({"logistic", "normalized"}))
      ->type_name("MODEL")
      ->default_str("logistic");
  for (const char* detail : {"--sprt-alpha", "--sprt-beta", "--sprt-model"}) {
    command.get_option(detail)->needs("--sprt");
  }
  option(command, "--out", options.directory, say("Keep results, records and an archive there; the same command goes on "
                                                  "with what was interrupted"), "DIRECTORY");
}

}  // namespace

void register_rehearse(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand(
      "rehearse", say("Play the engine against itself on an embedded server, on this machine").english());
  const auto options = std::make_shared<RehearseOptions>();
  option(*command, "CONFIG", options->config, say("Configuration of one side"))->required();
  option(*command, "CONFIG2", options->config2, say("Configuration of the other side, if another"));
  option(*command, "--games", options->games, say("How many games, colors changed each time; the default is 1, with "
                                                  "--openings two from each position, and with --sprt as many as it "
                                                  "takes, at most 100000"), "N")
      ->check(CLI::Range(1, games_max));
  option(*command, "--game-name", options->game_name, say("The clock: LABEL-SECONDS-BYOYOMI or LABEL-SECONDS-INCREMENTF; "
                                                          "the default is the configured one, or rehearsal-60-2F instead "
                                                          "of floodgate's"), "NAME");
  add_series_options(*command, *options);
  option(*command, "--event", options->event, say("Clock, move limit and habits of an event, and a report at the end: "
                                                  "wcsc, denryu or floodgate (whose half hours are ten seconds here)"), "EVENT")
      ->check(CLI::IsMember({"wcsc", "denryu", "floodgate"}));
  option(*command, "--faults", options->faults, say("What goes wrong: mild: everything arrives up to 80 ms late; wild: "
                                                    "400 ms, lines are cut behind their login, and in each game an "
                                                    "engine is killed; with a report at the end"), "FAULTS")
      ->check(CLI::IsMember({"none", "mild", "wild"}))
      ->capture_default_str();
  option(*command, "--max-moves", options->max_moves, say("A draw after that many moves (256, or the event's); 0: never"), "N")
      ->check(CLI::Range(0, rehearse::server::Server::plies_max));
  option(*command, "--least-time", options->least_time_s, say("Least seconds that a move is charged"), "SECONDS")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
  flag(*command, "--watch,!--no-watch", options->watch, say("Show the board, redrawn in place; the default on a terminal"));
  add_log_options(*command, options->log);
  command->footer(
      say("The server and the password of the configuration are not used: nothing leaves this machine. Each side writes its "
          "own record. With --concurrency, --openings, --sprt or --out the games are one measurement: who is stronger, by how "
          "much, and how sure that is (docs/comparing.md). With --event or --faults the exit status is 1 when the report finds "
          "this set-up not fit to enter.").english());
  for (const char* series : {"--concurrency", "--openings", "--sprt", "--out"}) {
    for (const char* trial : {"--event", "--faults"}) {
      command->get_option(series)->excludes(trial);
    }
  }
  command->callback([options, &terminal, &status] { status = rehearse(*options, terminal); });
}

}  // namespace kakehashi::cli
