// `kakehashi check`: validates a configuration, tries its engine, tells what `run` would do.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/exit_status.hpp"
#include "base/io/clocks.hpp"
#include "base/io/file.hpp"
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
#include "cli/option.hpp"
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
#include "games/io/archive_writer.hpp"
#include "journal/io/journal_files.hpp"
#include "keeper/client.hpp"
#include "shogi/record/format.hpp"
#include "usi/io/spawn.hpp"
#include "usi/option.hpp"
#include "watch/io/notifier.hpp"
#include "watch/notices.hpp"

namespace kakehashi::cli {
namespace {

namespace fs = std::filesystem;

using base::Message;
using base::say;
using base::say_as;

// `kakehashi check --game`: which rules of a configuration apply to a game, which do not and why,
// and what they set. Opens nothing.

/// ": 300 s, increment 10 s" behind the game's name.
Message game_and_clock(const config::GameFacts& facts) {
  const auto game = base::quoted(facts.game_name);
  if (!facts.total) {
    return say("{}, whose name gives no clock", game);
  }
  Message clock = say("{}: {}", game, config::spell_duration(*facts.total));
  if (facts.byoyomi->count() > 0) {
    clock = say("{}, byoyomi {}", clock, config::spell_duration(*facts.byoyomi));
  }
  return facts.increment->count() > 0 ? say("{}, increment {}", clock, config::spell_duration(*facts.increment)) : clock;
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

Message fate_of(const config::SettingRule& rule, const config::GameFacts& facts) {
  if (const auto obstacle = config::why_not(rule, facts)) {
    return say("line {}, does not apply: {}", rule.line, *obstacle);
  }
  return say("line {}, applies ({}): sets {}", rule.line, config::describe_when(rule), config::describe_set(rule));
}

void explain_rules(const config::BotConfig& config, const config::GameFacts& facts, const Lines& out) {
  out.labelled(say_as("column", "game"), game_and_clock(facts));
  for (std::size_t i = 0; i < config.rules.size(); ++i) {
    out.labelled(say("rule {}", i + 1), fate_of(config.rules[i], facts));
  }
  const auto set = difference(config, config::choose_settings(config, facts).bot);
  out.labelled(say_as("column", "result"), config.rules.empty() ? say("there are no rules")
                                           : set.set.empty()    ? say("the game is played as the rest of the file says")
                                                                : say("this game has {}", config::describe_set(set)));
}

struct CheckOptions {
  std::string config;
  ShogiHomeOptions shogihome;
  bool login = false;
  // A game as a person describes it.
  std::string game;  ///< "floodgate-300-10F"
  std::optional<std::string> opponent;
  std::string color;  ///< "black" or "white"; empty: not known
  std::string time;
};

Message account_text(const config::Account& account) {
  const auto& [name, password, file, variable, credential] = account;
  return !file.empty()         ? say("{}, password from the file {}", name, file)
         : !variable.empty()   ? say("{}, password from the variable {}", name, variable)
         : !credential.empty() ? say("{}, password from the credential {}", name, credential)
         : password.empty()    ? say("{}, password none", name)
                               : say("{}, password from the configuration", name);
}

Message game_text(const config::Game& game) {
  const auto name = game.name.empty() ? say("the server's default game") : base::verbatim(game.name);
  const auto comments =
      bridge::wants_comments(game) ? say("with evaluation comments") : say("without evaluation comments");
  return !game.count        ? say("{}, until stopped, {}", name, comments)
         : *game.count == 1 ? say("{}, one game, {}", name, comments)
                            : say("{}, {} games, {}", name, *game.count, comments);
}

Message records_text(const config::Records& records) {
  if (!records.enabled) {
    return say("none are written");
  }
  std::string files;
  std::vector<std::string> formats;
  for (const shogi::record::Format format : records.formats) {
    const auto& facts = shogi::record::facts_of(static_cast<shogi::record::Format>(format));
    files += (files.empty() ? "" : " ") + std::string(facts.extension);
    formats.emplace_back(facts.name);
  }
  return say("{}, {}", records.directory + "/" + records.name + files, base::listed(formats));
}

Message ponder_text(config::Ponder ponder) {
  switch (ponder) {
    case config::Ponder::off: return say_as("column", "off");
    case config::Ponder::on: return say("on: the engine thinks on the opponent's time");
    case config::Ponder::early: return say("early: the engine thinks on the opponent's time, from our move on");
  }
  return say_as("column", "off");
}

Message trust_text(const config::Tls& tls) {
  return !tls.fingerprint.empty() ? say("TLS trusting the pinned certificate")
         : !tls.ca_file.empty()   ? say("TLS trusting the authorities in {}", tls.ca_file)
                                  : say("TLS trusting the system's authorities");
}

Message with_proxy(const Message& server, const csa::ProxySettings& proxy) {
  const std::string kind = proxy.kind == csa::ProxySettings::Kind::http ? "HTTP" : "SOCKS5";
  const std::string place = csa::format_host(proxy.host, proxy.port);
  return proxy.user.empty() ? say("{}, through the {} proxy {}", server, kind, place)
                            : say("{}, through the {} proxy {} as {}", server, kind, place, base::quoted(proxy.user));
}

Message server_text(const config::Server& server) {
  Message text = say("{}, port {}", server.host, server.port);
  if (server.tls.enabled) {
    text = say("{}, {}", text, trust_text(server.tls));
  }
  if (server.websocket.enabled) {
    text = say("{}, {}", text, say("WebSocket at {}", server.websocket.path));
  }
  return server.proxy ? with_proxy(text, *server.proxy) : text;
}

Message schedule_text(const config::Schedule& schedule) {
  const bridge::Schedule hours(schedule);
  if (!hours.has_windows()) {
    return say("plays at any time");
  }
  const base::WallTime now = base::io::read_clocks().wall;
  const auto change = hours.next_change(now);
  const bool is_open = hours.is_open(now);
  const auto windows = say("{} ({}, now {}), logged in {} before", base::join(schedule.windows, ", "), schedule.time_zone,
                           hours.describe(now), base::duration(schedule.early.count()));
  const auto next = change ? is_open ? say("open now, until {}", hours.describe(*change))
                                     : say("the next one opens at {}", hours.describe(*change))
                    : is_open ? say("open all the time")
                              : say("no window opens");
  return say("{}; {}", windows, next);
}

Message own_text(const config::Game& game) {
  return game.meet_own ? say("are met like any other")
                       : say("games against {} are rejected", base::join(game.own_accounts, ", "));
}

Message margin_text(const config::Time& time) {
  if (time.margin) {
    return say("{} of each move is kept back for the way", base::duration(time.margin->count()));
  }
  return say("as much as is measured, {} to {}, of each move is kept back for the way",
             base::duration(time.margin_min.count()), base::duration(time.margin_max.count()));
}

/// A password that everybody reads anyway protects nothing, and is not hidden in logs.
void warn_of_public_password(const config::BotConfig& config, const Lines& out) {
  const std::pair<std::string, const std::string*> shown[] = {
      {"account.name", &config.account.name}, {"game.name", &config.game.name}, {"name", &config.name}};
  for (const auto& [key, text] : shown) {
    if (config.account.password.stands_in(*text)) {
      out.labelled(say_as("column", "warning"),
                   say("the password is part of {}, which everybody can read, and so it is no secret: choose another one", key));
      return;
    }
  }
}

/// What another process could not go on with, should this one be killed in mid-game.
void tell_of_loss(const config::BotConfig& config, const Lines& out) {
  const auto lost = config.server.tls.enabled         ? say("the connection is lost: TLS keeps its keys in the process")
                    : config.server.websocket.enabled ? say("the connection is lost: it goes through WebSocket")
                    : config.server.proxy             ? say("the connection is lost: it goes through a proxy")
                    : !config.journal.enabled         ? say("the game is lost: journal.enabled is false")
                                                      : Message();
  if (!lost.empty()) {
    out.labelled(say_as("column", "if killed"), lost);
  }
}

void tell_plan(const config::BotConfig& config, const Lines& out) {
  out.labelled(say_as("column", "bot"), base::verbatim(config.name));
  out.labelled(say_as("column", "server"), server_text(config.server));
  tell_of_loss(config, out);
  out.labelled(say_as("column", "account"), account_text(config.account));
  warn_of_public_password(config, out);
  out.labelled(say_as("column", "game"), game_text(config.game));
  out.labelled(say_as("column", "schedule"), schedule_text(config.schedule));
  if (!config.game.own_accounts.empty()) {
    out.labelled(say_as("column", "own bots"), own_text(config.game));
  }
  out.labelled(say_as("column", "margin"), margin_text(config.time));
  out.labelled(say_as("column", "ponder"), ponder_text(config.ponder));
  out.labelled(say_as("column", "records"), records_text(config.records));
}

/// What the rules would set that the engine does not take: it would be left out in their games.
void add_bad_settings_of_rules(const config::BotConfig& config, const EngineProbe& probe,
                               std::vector<Message>& bad) {
  for (std::size_t i = 0; i < config.rules.size(); ++i) {
    config::BotConfig alone = config;
    alone.engine.options.clear();
    alone.rules = {config.rules[i]};
    alone.rules.front().when.clear();
    const auto chosen = config::choose_settings(alone, {}).bot;
    const auto plan = usi::plan_settings(usi::dialect_of(config.engine.protocol), probe.declared,
                                         chosen.engine.options, false);
    for (const auto& problem : plan.problems) {
      bad.push_back(say("rules[{}] (line {}): {}", i + 1, config.rules[i].line, problem));
    }
  }
}

/// How the engine reads its clock, how that is known, and what it will be sent.
Message clock_text(const config::Engine& engine, bool has_increments, const EngineProbe& probe) {
  const bool is_as_configured = has_increments && engine.clock != config::EngineClock::automatic;
  Message text = usi::describe(probe.clocks);
  if (!has_increments) {
    text = say("the game has no increments: it is sent the clocks and byoyomi");
  } else if (is_as_configured) {
    text = say("as engine.clock says, it is sent {}", usi::describe_form(bridge::reading_for(engine.clock)));
  }
  if (probe.clocks.swaps_sides && (!has_increments || is_as_configured)) {
    text = say("{}; it takes the other side's clock for its own, and is sent its own for both", text);
  }
  if (is_as_configured) {
    return text;
  }
  if (probe.is_clock_asked) {
    return say("{} (found by asking it)", text);
  }
  return has_increments && probe.clocks.reading != usi::ClockReading::unknown
             ? say("{} (by its name; asking it told nothing)", text)
             : text;
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

Message answer_text(const EngineProbe& probe) {
  const auto after = base::duration(probe.until_identified.count());
  return probe.author.empty() ? say("{}, answered usi after {}", base::quoted(probe.name), after)
                              : say("{} by {}, answered usi after {}", base::quoted(probe.name), base::quoted(probe.author), after);
}

/// An engine of a configuration, as `check` calls it.
struct CheckedEngine {
  Message word;
  std::string key;  ///< "engine.standby"
};

/// Adds to `threads` those of this machine.
int check_engine(const config::BotConfig& config, const CheckedEngine& engine, int& threads, const Lines& out) {
  out.labelled(engine.word, say("starting {} ...", base::join(config.engine.command, " ")));
  for (const std::string& host : config.engine.host) {
    out.labelled(say_as("column", "host"), say("reached by: {}", base::join(keeper::ssh_command(host), " ")));
  }
  const bool has_increments = bridge::may_have_increments(config.game);
  const auto probe = probe_engine(config.engine, config.ponder != config::Ponder::off,
                                  has_increments                    ? ProbeMove::asked_with_increments
                                  : bridge::may_have_main_time(config.game) ? ProbeMove::asked_with_main_time
                                                                    : ProbeMove::asked);
  if (!probe.name.empty()) {
    out.labelled(engine.word, answer_text(probe));
  }
  const auto dialect = usi::dialect_of(config.engine.protocol);
  for (const auto& option : config.engine.options) {
    // What is left out is told as a problem below.
    if (usi::plan_settings(dialect, probe.declared, {option}, false).problems.empty()) {
      out.labelled(say_as("column", "option"), option.second ? base::verbatim(option.first + " = " + *option.second)
                                                             : say("{} (a button)", option.first));
    }
  }
  std::vector<Message> bad_settings;
  for (const auto& bad : probe.bad_settings) {
    bad_settings.push_back(say("{}.options: {}", engine.key, bad));
  }
  if (probe.is_ready) {
    add_bad_settings_of_rules(config, probe, bad_settings);
  }
  const auto problem = say_as("column", "problem");
  for (const auto& bad : bad_settings) {
    out.labelled(problem, bad);
  }
  if (!probe.is_ready) {
    out.labelled(problem, say("the {} is not available: {}", engine.word, probe.why));
    return base::exit_unavailable;
  }
  threads += config.engine.host.empty() ? threads_of(config.engine, probe) : 0;
  out.labelled(engine.word, say("ready after {}", base::duration(probe.until_ready.count())));
  if (probe.round_trip) {
    out.labelled(say_as("column", "link"),
                 say("{} to the engine's keeper and back; as much more of each move is kept back",
                     base::duration(std::chrono::ceil<base::Millis>(*probe.round_trip).count())));
  }
  if (!probe.keeper_problem.empty()) {
    out.labelled(say_as("column", "keeper"),
                 say("{}; it works, and kakehashi engine install HOST brings the same version", probe.keeper_problem));
  }
  out.labelled(say_as("column", "clock"), clock_text(config.engine, has_increments, probe));
  if (probe.is_clock_asked) {
    daemon::keep_clocks(daemon::clock_file(config), config.engine, probe.clock_facts, probe.clocks);
  }
  if (!probe.move_problem.empty()) {
    out.labelled(problem, say("asked for a first move, {}", probe.move_problem));
    out.labelled(say_as("column", "next"), say("kakehashi engine examine -- {}   shows what else is wrong with it",
                                               base::join(config.engine.command, " ")));
    return base::exit_unavailable;
  }
  out.labelled(engine.word, say("plays {} in the initial position, after {}", probe.move, base::duration(probe.until_move.count())));
  if (probe.until_stopped) {
    out.labelled(engine.word, say("obeys stop after {}", base::duration(probe.until_stopped->count())));
  }
  for (const auto& trouble : probe.troubles) {
    out.labelled(say_as("column", "warning"), trouble);
  }
  return bad_settings.empty() ? base::exit_ok : base::exit_config;
}

int check_engines(const config::BotConfig& config, const Lines& out) {
  int threads = 0;
  int status = check_engine(config, {say_as("column", "engine"), "engine"}, threads, out);
  const std::vector<bridge::EngineSeat> seats = bridge::seats_of(config.engine);
  for (std::size_t seat = 1; seat < seats.size(); ++seat) {
    config::BotConfig other = config;
    other.engine = seats[seat].engine;
    other.rules.clear();  // they set the first engine's options
    const CheckedEngine engine =
        config.engine.standby.enabled
            ? CheckedEngine{say_as("column", "standby"), "engine.standby"}
            : CheckedEngine{base::verbatim(seats[seat].name), "engine.team[" + std::to_string(seat) + "]"};
    const int found = check_engine(other, engine, threads, out);
    status = status == base::exit_ok ? found : status;
  }
  const auto processors = static_cast<int>(usi::io::processors().size());
  if (bridge::thinks_together(config.engine) && threads > processors) {
    out.labelled(say_as("column", "warning"),
                 say("the engines on this machine think at the same time with {} threads, and it has {} processors: they "
                     "slow each other down; give them fewer Threads", threads, processors));
  }
  return status;
}

int check_login(const config::BotConfig& config, const Lines& out) {
  out.labelled(say_as("column", "login"), say("trying {} ...", config.server.host));
  const auto probe = probe_login(config);
  switch (probe.outcome) {
    case LoginProbe::Outcome::logged_in:
    case LoginProbe::Outcome::connected:
      out.labelled(say_as("column", "login"), say("accepted by {}; logged out again", probe.peer));
      return base::exit_ok;
    case LoginProbe::Outcome::refused:
      out.labelled(say_as("column", "problem"), say("{} ({})", probe.why, probe.peer));
      return base::exit_refused;
    case LoginProbe::Outcome::unavailable:
      out.labelled(say_as("column", "problem"), say("the server is not available: {}", probe.why));
      return base::exit_unavailable;
    case LoginProbe::Outcome::in_use:
      out.labelled(say_as("column", "login"),
                   say("not tried: the bot is running ({} plays there as {}), and a second login would put it out", probe.why,
                       base::quoted(config.account.name)));
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
Message why_unreachable(const config::Notify& receiver, base::Millis connect_timeout, Message& peer) {
  if (!receiver.command.empty()) {
    return is_program(receiver.command.front()) ? Message() : say("there is no such program, or it may not be started");
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
  return probe.outcome == LoginProbe::Outcome::connected ? Message() : probe.why;
}

int check_receivers(const config::BotConfig& config, const Lines& out) {
  int status = base::exit_ok;
  for (const config::Notify& receiver : config.notify) {
    Message peer;
    const auto name = watch::io::name_of(receiver);
    const auto why = why_unreachable(receiver, config.server.connect_timeout, peer);
    if (why.empty()) {
      out.labelled(say_as("column", "notify"), peer.empty() ? say("{} can be started", name) : say("{} is reached", name));
    } else {
      out.labelled(say_as("column", "problem"), say("{}: {}", name, why));
      status = base::exit_unavailable;
    }
  }
  if (!config.notify.empty()) {
    out.labelled(say_as("column", "next"), say("kakehashi notify test CONFIG   sends each recipient a message"));
  }
  return status;
}

/// Why no file can come to be in a directory, which is made as soon as it is needed; nothing is made here.
Message why_not_writable(const std::string& directory) {
  std::error_code failed;
  fs::path there = fs::absolute(directory, failed).lexically_normal();
  while (!fs::exists(there, failed) && there.has_relative_path()) {
    there = there.parent_path();
  }
  if (!fs::is_directory(there, failed)) {
    return base::system_words(std::make_error_code(std::errc::not_a_directory).message());
  }
  return ::access(there.c_str(), W_OK | X_OK) == 0 ? Message() : base::io::last_error();
}

int check_directories(const config::BotConfig& config, const Lines& out) {
  std::set<std::string> directories;
  if (config.records.enabled) {
    directories.insert(config.records.directory);
  }
  if (config.journal.enabled) {
    directories.insert(journal::io::journal_directory(config));
  }
  for (const auto& [is_written, file] : {std::pair(config.archive.enabled, games::io::archive_file(config)),
                                         std::pair(!config.log.file.empty(), config.log.file)}) {
    if (is_written) {
      directories.insert(fs::path(file).parent_path().string());
    }
  }
  int status = base::exit_ok;
  for (const std::string& directory : directories) {
    if (const auto why = why_not_writable(directory); !why.empty()) {
      out.labelled(say_as("column", "problem"), say("cannot write {}: {}", base::quoted(directory, 400), why));
      status = base::exit_cannot_create;
    }
  }
  return status;
}

std::optional<config::BotConfig> load(const CheckOptions& options, const Terminal& terminal) {
  const std::size_t given = origins_of(options.shogihome).size() + (options.config.empty() ? 0 : 1);
  if (given == 0) {
    throw Misuse(say("{} is required", std::string("CONFIG")));
  }
  if (given > 1) {
    throw Misuse(say("CONFIG: check takes one configuration at a time"));
  }
  if (!options.config.empty()) {
    return load_config(options.config, config::io::Passwords::read, terminal);
  }
  auto configs = load_shogihome_configs(options.shogihome, terminal);
  return configs ? std::optional(std::move(configs->front())) : std::nullopt;
}

config::GameFacts facts_of(const CheckOptions& options, std::chrono::minutes utc_offset) {
  config::GameFacts facts = config::facts_of_name(options.game);
  facts.opponent = options.opponent;
  if (!options.color.empty()) {
    facts.color = options.color == "black" ? shogi::Color::black : shogi::Color::white;
  }
  facts.minute_of_day = config::parse_minute(options.time)
                            .value_or(bridge::minute_of_day(base::io::read_clocks().wall, utc_offset));
  return facts;
}

int check(const CheckOptions& options, const Terminal& terminal) {
  const auto config = load(options, terminal);
  if (!config) {
    return base::exit_config;
  }
  if (!options.game.empty()) {
    explain_rules(*config, facts_of(options, config->records.utc_offset), terminal.output);
    return base::exit_ok;
  }
  tell_plan(*config, terminal.output);
  int status = check_engines(*config, terminal.output);
  if (options.login) {
    const int login_status = check_login(*config, terminal.output);
    status = status == base::exit_ok ? login_status : status;
  }
  const int told_status = check_receivers(*config, terminal.output);
  const int kept_status = check_directories(*config, terminal.output);
  terminal.output.labelled(say_as("column", "result"),
                           status != base::exit_ok        ? say("not ready to play; see above")
                           : kept_status != base::exit_ok ? say("ready to play, but not all can be kept that is played; see above")
                           : told_status != base::exit_ok ? say("ready to play, but notifications do not arrive; see above")
                                                          : say("all is well"));
  return status != base::exit_ok ? status : kept_status != base::exit_ok ? kept_status : told_status;
}

}  // namespace

void register_check(CLI::App& app, const Terminal& terminal, int& status) {
  auto* command = app.add_subcommand(
      "check", say("Validate a configuration, try its engine, and show what would happen").english());
  const auto options = std::make_shared<CheckOptions>();
  option(*command, "CONFIG", options->config, say("Configuration file"));
  add_shogihome_options(*command, options->shogihome, ShogiHomeChanges::not_taken);
  flag(*command, "--login", options->login, say("Also log in at the server, and out again at once, unless the bot is "
                                                "running"));
  option(*command, "--game", options->game, say("Only show which rules apply to a game of this name, and what they "
                                                     "set; the engine is not started"), "NAME")
      ->excludes("--login");
  option(*command, "--opponent", options->opponent, say("The opponent of that game"), "NAME")->needs("--game");
  option(*command, "--color,--colour", options->color, say("Our side in that game"), "SIDE")
      ->check(CLI::IsMember({"black", "white"}))
      ->needs("--game");
  option(*command, "--time", options->time, say("When that game is offered; now, if not given"), "HH:MM")
      ->check([](const std::string& text) {
        if (!config::parse_minute(text)) {
          throw Misuse(say("--time: must be a time of day such as 20:30"));
        }
        return std::string();
      })
      ->needs("--game");
  command->callback([options, &terminal, &status] { status = check(*options, terminal); });
}

}  // namespace kakehashi::cli
