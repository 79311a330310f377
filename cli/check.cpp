// `kakehashi check`: validates a configuration, tries its engine, tells what `run` would do.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/exit_status.hpp"
#include "base/io/clocks.hpp"
#include "base/text.hpp"
#include "bridge/bot/schedule.hpp"
#include "bridge/engine/engine_clocks.hpp"
#include "bridge/engine_seats.hpp"
#include "bridge/game/offer.hpp"
#include "bridge/game/thought.hpp"
#include "cli/command_line.hpp"
#include "cli/engine_probe.hpp"
#include "cli/load_config.hpp"
#include "cli/login_probe.hpp"
#include "cli/shogihome_options.hpp"
#include "config/bot_config.hpp"
#include "config/engine_config.hpp"
#include "config/game_settings.hpp"
#include "config/io/read_secret.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"
#include "config/schema/text.hpp"
#include "csa/server_address.hpp"
#include "daemon/clock_memory.hpp"
#include "keeper/attach_command.hpp"
#include "shogi/record/format.hpp"
#include "usi/io/spawn.hpp"
#include "usi/option.hpp"
#include "watch/io/notifier.hpp"
#include "watch/web_address.hpp"

namespace kakehashi::cli {
namespace {

// `kakehashi check --game`: which rules of a configuration apply to a game, which do not and why,
// and what they set. Opens nothing.

/// A game as a person describes it.
struct GameQuestion {
  std::string game;  ///< "floodgate-300-10F"
  std::optional<std::string> opponent{};
  std::optional<std::string> color{};  ///< "black" or "white"
  int minute_of_day = 0;                ///< local, 0 to 1439
};

void explain_rules(const config::BotConfig& config, const GameQuestion& question,
                   std::ostream& out);

void tell(std::ostream& out, const std::string& word, const std::string& text) {
  out << word << std::string(word.size() < 10 ? 10 - word.size() : 1, ' ') << text << '\n';
}

config::GameFacts facts_of(const GameQuestion& question) {
  config::GameFacts facts = config::facts_of_name(question.game);
  facts.opponent = question.opponent;
  if (question.color) {
    facts.color = *question.color == "black" ? shogi::Color::black : shogi::Color::white;
  }
  facts.minute_of_day = question.minute_of_day;
  return facts;
}

std::string clock_text(const config::GameFacts& facts) {
  if (!facts.total) {
    return ", whose name gives no clock";
  }
  const auto part = [](const char* name, base::Millis time) {
    return time.count() > 0 ? std::string(name) + config::spell_duration(time) : std::string();
  };
  return ": " + config::spell_duration(*facts.total) + part(", byoyomi ", *facts.byoyomi) +
         part(", increment ", *facts.increment);
}

/// What differs from the bot's own settings, as one rule would set it.
config::SettingRule difference(const config::BotConfig& standing, const config::BotConfig& chosen) {
  config::SettingRule rule;
  for (const std::string& path : config::settable_keys()) {
    const config::Key& key = *config::find_key(path);
    const auto before = config::plain_settings(key, standing);
    for (config::PlainSetting& setting : config::plain_settings(key, chosen)) {
      if (std::find(before.begin(), before.end(), setting) == before.end()) {
        rule.set.push_back(std::move(setting));
      }
    }
  }
  return rule;
}

void explain_rules(const config::BotConfig& config, const GameQuestion& question,
                   std::ostream& out) {
  const config::GameFacts facts = facts_of(question);
  tell(out, "game", base::quote_for_log(question.game) + clock_text(facts));
  for (std::size_t i = 0; i < config.rules.size(); ++i) {
    const config::SettingRule& rule = config.rules[i];
    const auto obstacle = config::why_not(rule, facts);
    tell(out, "rule " + std::to_string(i + 1),
         "line " + std::to_string(rule.line) + ", " +
             (obstacle ? "does not apply: " + *obstacle
                       : "applies (" + config::describe_when(rule) + "): sets " +
                             config::describe_set(rule)));
  }
  const auto set = difference(config, config::choose_settings(config, facts).bot);
  tell(out, "result", config.rules.empty() ? "there are no rules"
                      : set.set.empty()    ? "the game is played as the rest of the file says"
                                           : "this game has " + config::describe_set(set));
}

using base::format_millis;

struct CheckOptions {
  std::string config;
  ShogiHomeOptions shogihome;
  bool login = false;
  GameQuestion game;
  std::string time;
};

/// "engine    text", the word in a column of its own.
void tell(const std::string& word, const std::string& text) {
  std::cout << word << std::string(word.size() < 10 ? 10 - word.size() : 1, ' ') << text
            << std::endl;
}

std::string account_text(const config::Account& account) {
  const auto from = !account.password_file.empty()
                        ? "from the file " + account.password_file
                    : !account.password_env.empty()
                        ? "from the variable " + account.password_env
                    : !account.password_credential.empty()
                        ? "from the credential " + account.password_credential
                        : account.password.empty() ? std::string("none")
                                                   : std::string("from the configuration");
  return account.name + ", password " + from;
}

std::string game_text(const config::Game& game) {
  const auto name = game.name.empty() ? "the server's default game" : game.name;
  const char* comments = bridge::wants_comments(game) ? "with evaluation comments" : "without evaluation comments";
  return !game.count         ? fmt::format("{}, until stopped, {}", name, comments)
         : *game.count == 1 ? fmt::format("{}, one game, {}", name, comments)
                            : fmt::format("{}, {} games, {}", name, *game.count, comments);
}

std::string records_text(const config::Records& records) {
  if (!records.enabled) {
    return "none are written";
  }
  std::string files;
  std::string formats;
  for (const shogi::record::Format format : records.formats) {
    const auto& facts = shogi::record::facts_of(static_cast<shogi::record::Format>(format));
    files += (files.empty() ? "" : " ") + std::string(facts.extension);
    formats += (formats.empty() ? "" : ", ") + std::string(facts.name);
  }
  return records.directory + "/" + records.name + files + ", " + formats;
}

std::string ponder_text(config::Ponder ponder) {
  switch (ponder) {
    case config::Ponder::off: return "off";
    case config::Ponder::on: return "on: the engine thinks on the opponent's time";
    case config::Ponder::early:
      return "early: the engine thinks on the opponent's time, from our move on";
  }
  return "off";
}

std::string proxy_text(const config::Server& server) {
  const auto& proxy = server.proxy;
  if (!proxy) {
    return "";
  }
  return std::string(", through the ") +
         (proxy->kind == csa::ProxySettings::Kind::http ? "HTTP" : "SOCKS5") + " proxy " +
         csa::format_host(proxy->host, proxy->port) +
         (proxy->user.empty() ? std::string() : " as " + base::quote_for_log(proxy->user));
}

std::string server_text(const config::Server& server) {
  const auto& tls = server.tls;
  const std::string trust = !tls.fingerprint.empty() ? "the pinned certificate"
                            : !tls.ca_file.empty()   ? "the authorities in " + tls.ca_file
                                                     : "the system's authorities";
  return server.host + ", port " + std::to_string(server.port) +
         (tls.enabled ? ", TLS trusting " + trust : "") +
         (server.websocket.enabled ? ", WebSocket at " + server.websocket.path : "") +
         proxy_text(server);
}

std::string schedule_text(const config::Schedule& schedule) {
  const bridge::Schedule hours(schedule);
  if (!hours.has_windows()) {
    return "plays at any time";
  }
  const base::WallTime now = base::io::read_clocks().wall;
  const auto change = hours.next_change(now);
  std::string text = base::join(schedule.windows, ", ") + " (" + schedule.time_zone + ", now " +
                     hours.describe(now) + "), logged in " + format_millis(schedule.early.count()) +
                     " before; ";
  if (!change) {
    return text + (hours.is_open(now) ? "open all the time" : "no window opens");
  }
  return text + (hours.is_open(now) ? "open now, until " : "the next one opens at ") + hours.describe(*change);
}

std::string own_text(const config::Game& game) {
  return game.meet_own ? "are met like any other"
                       : "games against " + base::join(game.own_accounts, ", ") + " are rejected";
}

/// A password that everybody reads anyway protects nothing, and is not hidden in logs.
void warn_of_public_password(const config::BotConfig& config) {
  const std::pair<const char*, const std::string*> shown[] = {
      {"account.name", &config.account.name}, {"game.name", &config.game.name}, {"name", &config.name}};
  for (const auto& [key, text] : shown) {
    if (config.account.password.stands_in(*text)) {
      tell("warning", "the password is part of " + std::string(key) +
                          ", which everybody can read, and so it is no secret: choose another one");
      return;
    }
  }
}

void tell_plan(const config::BotConfig& config) {
  tell("bot", config.name);
  tell("server", server_text(config.server));
  tell("account", account_text(config.account));
  warn_of_public_password(config);
  tell("game", game_text(config.game));
  tell("schedule", schedule_text(config.schedule));
  if (!config.game.own_accounts.empty()) {
    tell("own bots", own_text(config.game));
  }
  tell("margin", (config.time.margin ? format_millis(config.time.margin->count())
                                     : "as much as is measured, " +
                                           format_millis(config.time.margin_min.count()) + " to " +
                                           format_millis(config.time.margin_max.count()) + ",") +
                     " of each move is kept back for the way");
  tell("ponder", ponder_text(config.ponder));
  tell("records", records_text(config.records));
}

/// What the rules would set that the engine does not take: it would be left out in their games.
void add_bad_settings_of_rules(const config::BotConfig& config, const EngineProbe& probe,
                               std::vector<std::string>& bad) {
  for (std::size_t i = 0; i < config.rules.size(); ++i) {
    config::BotConfig alone = config;
    alone.engine.options.clear();
    alone.rules = {config.rules[i]};
    alone.rules.front().when.clear();
    const auto chosen = config::choose_settings(alone, {}).bot;
    const auto plan = usi::plan_settings(usi::dialect_of(config.engine.protocol), probe.declared,
                                         chosen.engine.options, false);
    for (const std::string& problem : plan.problems) {
      bad.push_back("rules[" + std::to_string(i + 1) + "] (line " +
                    std::to_string(config.rules[i].line) + "): " + problem);
    }
  }
}

/// How the engine reads its clock, how that is known, and what it will be sent.
std::string clock_text(const config::Engine& engine, bool has_increments, const EngineProbe& probe) {
  const std::string swap =
      probe.clocks.swaps_sides ? "; it takes the other side's clock for its own, and is sent its own for both" : "";
  if (!has_increments) {
    return "the game has no increments: it is sent the clocks and byoyomi" + swap +
           (probe.is_clock_asked ? " (found by asking it)" : "");
  }
  if (engine.clock != config::EngineClock::automatic) {
    return std::string("as engine.clock says, it is sent ") + usi::describe_form(bridge::reading_for(engine.clock)) + swap;
  }
  const bool is_known = probe.clocks.reading != usi::ClockReading::unknown;
  return usi::describe(probe.clocks) + (probe.is_clock_asked ? " (found by asking it)"
                                        : is_known ? " (by its name; asking it told nothing)" : "");
}

/// How many threads it searches with, as far as it says.
int threads_of(const config::Engine& engine, const EngineProbe& probe) {
  for (const usi::Option& option : probe.declared) {
    if (bridge::is_thread_option(option.name)) {
      const bool is_set = std::any_of(engine.options.begin(), engine.options.end(),
                                      [&](const auto& wanted) { return wanted.first == option.name; });
      return is_set ? bridge::threads_of(engine)
                    : static_cast<int>(base::parse_int(option.default_value).value_or(1));
    }
  }
  return bridge::threads_of(engine);
}

/// `word` and `key` are "engine", or "standby" and "engine.standby". Adds to `threads` those of this machine.
int check_engine(const config::BotConfig& config, const std::string& word, const std::string& key,
                 int& threads) {
  tell(word, "starting " + base::join(config.engine.command, " ") + " ...");
  for (const std::string& host : config.engine.host) {
    tell("host", "reached by: " + base::join(keeper::ssh_command(host), " "));
  }
  const bool has_increments = bridge::may_have_increments(config.game);
  const auto probe = probe_engine(config.engine, config.ponder != config::Ponder::off,
                                  has_increments                    ? ProbeMove::asked_with_increments
                                  : bridge::may_have_main_time(config.game) ? ProbeMove::asked_with_main_time
                                                                    : ProbeMove::asked);
  if (!probe.name.empty()) {
    tell(word, base::quote_for_log(probe.name) +
                       (probe.author.empty() ? "" : " by " + base::quote_for_log(probe.author)) +
                       ", answered usi after " + format_millis(probe.until_identified.count()));
  }
  const auto dialect = usi::dialect_of(config.engine.protocol);
  for (const auto& option : config.engine.options) {
    // What is left out is told as a problem below.
    if (usi::plan_settings(dialect, probe.declared, {option}, false).problems.empty()) {
      tell("option", option.first + (option.second ? " = " + *option.second : " (a button)"));
    }
  }
  std::vector<std::string> bad_settings;
  for (const auto& bad : probe.bad_settings) {
    bad_settings.push_back(key + ".options: " + bad);
  }
  if (probe.is_ready) {
    add_bad_settings_of_rules(config, probe, bad_settings);
  }
  for (const auto& bad : bad_settings) {
    tell("problem", bad);
  }
  if (!probe.is_ready) {
    tell("problem", "the " + word + " is not available: " + probe.why);
    return base::exit_unavailable;
  }
  threads += config.engine.host.empty() ? threads_of(config.engine, probe) : 0;
  tell(word, "ready after " + format_millis(probe.until_ready.count()));
  if (probe.round_trip) {
    tell("link", format_millis(std::chrono::ceil<base::Millis>(*probe.round_trip).count()) +
                     " to the engine's keeper and back; as much more of each move is kept back");
  }
  if (!probe.keeper_problem.empty()) {
    tell("keeper", probe.keeper_problem + "; it works, and kakehashi engine install HOST brings the same version");
  }
  tell("clock", clock_text(config.engine, has_increments, probe));
  if (probe.is_clock_asked) {
    daemon::keep_clocks(daemon::clock_file(config), config.engine, probe.clock_facts, probe.clocks);
  }
  if (!probe.move_problem.empty()) {
    tell("problem", "asked for a first move, " + probe.move_problem);
    tell("next", "kakehashi engine examine -- " + base::join(config.engine.command, " ") +
                     "   shows what else is wrong with it");
    return base::exit_unavailable;
  }
  tell(word, "plays " + probe.move + " in the initial position, after " +
                 format_millis(probe.until_move.count()));
  if (probe.until_stopped) {
    tell(word, "obeys stop after " + format_millis(probe.until_stopped->count()));
  }
  for (const std::string& trouble : probe.troubles) {
    tell("warning", trouble);
  }
  return bad_settings.empty() ? base::exit_ok : base::exit_config;
}

int check_engines(const config::BotConfig& config) {
  int threads = 0;
  int status = check_engine(config, "engine", "engine", threads);
  const std::vector<bridge::EngineSeat> seats = bridge::seats_of(config.engine);
  for (std::size_t seat = 1; seat < seats.size(); ++seat) {
    config::BotConfig other = config;
    other.engine = seats[seat].engine;
    other.rules.clear();  // they set the first engine's options
    const std::string key =
        config.engine.standby.enabled ? "engine.standby" : "engine.team[" + std::to_string(seat) + "]";
    const int found = check_engine(other, seats[seat].name, key, threads);
    status = status == base::exit_ok ? found : status;
  }
  const auto processors = static_cast<int>(usi::io::processors().size());
  if (bridge::thinks_together(config.engine) && threads > processors) {
    tell("warning", "the engines on this machine think at the same time with " + std::to_string(threads) +
                        " threads, and it has " + std::to_string(processors) +
                        " processors: they slow each other down; give them fewer Threads");
  }
  return status;
}

int check_login(const config::BotConfig& config) {
  tell("login", "trying " + config.server.host + " ...");
  const auto probe = probe_login(config);
  switch (probe.outcome) {
    case LoginProbe::Outcome::logged_in:
    case LoginProbe::Outcome::connected:
      tell("login", "accepted by " + probe.peer + "; logged out again");
      return base::exit_ok;
    case LoginProbe::Outcome::refused:
      tell("problem", probe.why + " (" + probe.peer + ")");
      return base::exit_refused;
    case LoginProbe::Outcome::unavailable:
      tell("problem", "the server is not available: " + probe.why);
      return base::exit_unavailable;
    case LoginProbe::Outcome::in_use:
      tell("login", "not tried: the bot is running (" + probe.why + " plays there as " +
                        base::quote_for_log(config.account.name) + "), and a second login would put it out");
      return base::exit_ok;
  }
  return base::exit_internal;
}

/// As execvp(3) would look for it.
bool is_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return ::access(name.c_str(), X_OK) == 0;
  }
  const char* path = std::getenv("PATH");
  for (const auto& directory : base::split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    if (::access((std::string(directory) + "/" + name).c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

/// Why a message could not even leave; empty: only sending one would tell more. `peer`: who answered.
std::string why_unreachable(const config::Notify& receiver, base::Millis connect_timeout, std::string& peer) {
  if (!receiver.command.empty()) {
    return is_program(receiver.command.front()) ? "" : "there is no such program, or it may not be started";
  }
  const auto read = config::io::read_address_secret(receiver.url_file);
  if (!read.problem.empty()) {
    return read.problem;
  }
  const auto address = watch::parse_web_address(read.secret.reveal());
  if (!address) {
    return address.error();
  }
  config::BotConfig way;
  way.server.host = address->host;
  way.server.port = address->port;
  way.server.tls.enabled = address->is_tls;
  way.server.connect_timeout = connect_timeout;
  auto probe = probe_connection(way);
  peer = std::move(probe.peer);
  return probe.outcome == LoginProbe::Outcome::connected ? "" : probe.why;
}

int check_receivers(const config::BotConfig& config) {
  int status = base::exit_ok;
  for (const config::Notify& receiver : config.notify) {
    std::string peer;
    const auto why = why_unreachable(receiver, config.server.connect_timeout, peer);
    if (why.empty()) {
      tell("notify", watch::io::name_of(receiver) + (peer.empty() ? " can be started" : " is reached"));
    } else {
      tell("problem", watch::io::name_of(receiver) + ": " + why);
      status = base::exit_unavailable;
    }
  }
  if (!config.notify.empty()) {
    tell("next", "kakehashi notify test CONFIG   sends each recipient a message");
  }
  return status;
}

std::optional<config::BotConfig> load(const CheckOptions& options, const Terminal& terminal) {
  const std::size_t given = origins_of(options.shogihome).size() + (options.config.empty() ? 0 : 1);
  if (given == 0) {
    throw CLI::RequiredError("CONFIG");
  }
  if (given > 1) {
    throw CLI::ValidationError("CONFIG", "check takes one configuration at a time");
  }
  if (!options.config.empty()) {
    return load_config(options.config, config::io::Passwords::read, terminal);
  }
  auto configs = load_shogihome_configs(options.shogihome, terminal);
  return configs ? std::optional(std::move(configs->front())) : std::nullopt;
}

GameQuestion question_of(const CheckOptions& options, std::chrono::minutes utc_offset) {
  GameQuestion question = options.game;
  question.minute_of_day = config::parse_minute(options.time)
                               .value_or(bridge::minute_of_day(base::io::read_clocks().wall, utc_offset));
  return question;
}

int check(const CheckOptions& options, const Terminal& terminal) {
  const auto config = load(options, terminal);
  if (!config) {
    return base::exit_config;
  }
  if (!options.game.game.empty()) {
    explain_rules(*config, question_of(options, config->records.utc_offset), std::cout);
    return base::exit_ok;
  }
  tell_plan(*config);
  int status = check_engines(*config);
  if (options.login) {
    const int login_status = check_login(*config);
    status = status == base::exit_ok ? login_status : status;
  }
  const int told_status = check_receivers(*config);
  tell("result", status != base::exit_ok        ? "not ready to play; see above"
                 : told_status != base::exit_ok ? "ready to play, but notifications do not arrive; see above"
                                          : "all is well");
  return status == base::exit_ok ? told_status : status;
}

}  // namespace

void register_check(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand(
      "check", "Validate a configuration, try its engine, and show what would happen");
  // Shared by the option readers and the callback, which outlive this function.
  const auto options = std::make_shared<CheckOptions>();
  command->add_option("CONFIG", options->config, "Configuration file");
  add_shogihome_options(*command, options->shogihome, ShogiHomeChanges::not_taken);
  command->add_flag("--login", options->login, "Also log in at the server, and out again at once, unless the bot is running");
  command->add_option("--game", options->game.game,
                      "Only show which rules apply to a game of this name, and what they set; the "
                      "engine is not started")
      ->type_name("NAME")
      ->excludes("--login");
  command->add_option("--opponent", options->game.opponent, "The opponent of that game")
      ->type_name("NAME")
      ->needs("--game");
  command->add_option("--color,--colour", options->game.color, "Our side in that game")
      ->type_name("SIDE")
      ->check(CLI::IsMember({"black", "white"}))
      ->needs("--game");
  command->add_option("--time", options->time, "When that game is offered; now, if not given")
      ->type_name("HH:MM")
      ->check([](const std::string& text) {
        return config::parse_minute(text) ? std::string() : "must be a time of day such as 20:30";
      })
      ->needs("--game");
  command->callback([options, &terminal, &status] { status = check(*options, terminal); });
}

}  // namespace kakehashi::cli
