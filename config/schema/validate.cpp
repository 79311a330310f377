#include "config/schema/validate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

using base::quoted;
using base::say;

constexpr std::array password_keys{"account.password_file", "account.password_env",
                                   "account.password_credential"};

/// Where a key stands; for one that is absent, what it belongs to; else the file's beginning.
Place place_of(const Places& places, std::string key) {
  for (;;) {
    if (const auto found = places.find(key); found != places.end()) {
      return found->second;
    }
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) {
      return {1, 1};
    }
    key.resize(dot);
  }
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

/// A bot, where its keys stand, and what is found wrong with them.
struct Judged {
  const BotConfig& bot;
  const Places& places;
  Report& report;

  [[nodiscard]] bool is_given(const std::string& key) const { return places.contains(key); }
  void refuse(const std::string& key, base::Message why) const {
    report.problem(place_of(places, key), key, std::move(why));
  }
  void warn(const std::string& key, base::Message why) const {
    report.warning(place_of(places, key), key, std::move(why));
  }
};

void judge_password_source(const Judged& it) {
  std::vector<std::string> given;
  for (const char* key : password_keys) {
    if (it.is_given(key)) {
      given.emplace_back(key);
    }
  }
  if (given.size() > 1) {
    it.refuse(given[1], say("the password has one source, and {} is given too; remove one", given[0]));
  }
  if (!given.empty() || !it.bot.account.password.empty()) {
    return;
  }
  const auto game = parse_game_name(it.bot.game.name);
  if (game && game->is_floodgate()) {
    it.refuse("account", say("floodgate pairs only players with a trip, a secret word of your own choice: give one by "
                             "account.password_file, account.password_env or account.password_credential"));
  } else if (it.bot.game.name.empty() && !it.is_given("game.name")) {
    it.refuse("account", say("a password must be given by account.password_file, account.password_env or "
                             "account.password_credential, or game.name on a server without passwords"));
  }
}

void judge_game_label(const Judged& it) {
  const auto game = parse_game_name(it.bot.game.name);
  if (!game || game->is_floodgate()) {
    return;
  }
  const std::array<std::string, 1> floodgate{"floodgate"};
  if (base::nearest(game->label, floodgate)) {
    it.warn("game.name", say("the label {} is not floodgate's, so this is a private game between whoever asks for it; did "
                             "you mean floodgate?",
                             quoted(game->label, 40)));
  }
}

void judge_login_mode(const Judged& it) {
  if (it.bot.server.mode != LoginMode::x1) {
    return;
  }
  if (it.bot.game.name.empty()) {
    it.refuse("server.mode", say("in x1 mode the bot asks for its game by name: give game.name"));
  }
  if (it.bot.account.password.empty() && std::ranges::none_of(password_keys, [&](const char* key) { return it.is_given(key); })) {
    it.refuse("server.mode", say("an x1 login needs a password: give one by account.password_file, account.password_env or "
                                 "account.password_credential"));
  }
}

void judge_passed_environment(const Judged& it) {
  const std::string& password = it.bot.account.password_env;
  if (!password.empty() && base::passes(it.bot.engine.pass_environment, password)) {
    const char* key = "engine.pass_environment";
    it.refuse(key, say("lets {} through, which holds the password (account.password_env); no engine may have it",
                       password));
  }
}

void judge_margin(const Judged& it) {
  const auto game = parse_game_name(it.bot.game.name);
  if (it.bot.time.margin_min > it.bot.time.margin_max) {
    it.refuse("time.margin_min", say("must not be more than time.margin_max, {}", spell_duration(it.bot.time.margin_max)));
  }
  for (const char* bound : {"time.margin_min", "time.margin_max"}) {
    if (it.bot.time.margin && it.is_given(bound)) {
      it.warn(bound, say("has no effect: time.margin is not auto"));
    }
  }
  if (!it.bot.time.margin) {
    return;  // never more than half of a turn's time is kept back
  }
  const Millis margin = *it.bot.time.margin;
  const auto warn = [&](base::Message text) { it.warn("time.margin", std::move(text)); };
  if (margin < Millis{100} && it.is_given("time.margin")) {
    warn(say("{} is less than the way to most servers takes; a move that arrives as the limit is reached loses",
             spell_duration(margin)));
  }
  if (!game || game->is_stop_watch) {
    return;
  }
  if (game->per_move.count() > 0 && margin >= game->per_move) {
    warn(say("{} is as long as the {} that {} gives for each move; half of those will be kept back instead",
             spell_duration(margin), spell_duration(game->per_move), it.bot.game.name));
  } else if (game->per_move.count() == 0 && game->total.count() > 0 && margin >= game->total) {
    warn(say("{} is as long as the whole time of {}", spell_duration(margin), it.bot.game.name));
  }
}

void judge_ponder_option(const Judged& it) {
  const std::string wanted = it.bot.ponder == Ponder::off ? "false" : "true";
  for (const auto& [name, value] : it.bot.engine.options) {
    if ((name == "USI_Ponder" || name == "Ponder") && value.value_or("") != wanted) {
      it.warn("engine.options." + name, say("contradicts ponder: {}; leave it out, it is set from ponder", wanted));
    }
  }
}

void judge_protocol(const Judged& it) {
  if (const auto protocol = it.bot.engine.protocol; protocol == usi::Protocol::tei || protocol == usi::Protocol::ucgi) {
    it.refuse("engine.protocol", say("such engines do not play shogi: they can be examined (kakehashi engine examine --protocol), but not "
                                     "entered in games; use usi or uci"));
  }
}

/// What only reaches a process that the bridge starts itself.
void judge_kept_engine(const Judged& it) {
  const Engine& engine = it.bot.engine;
  if (engine.keep && engine.restart_each_game) {
    it.refuse("engine.keep", say("contradicts engine.restart_each_game, which wants a fresh engine for every game"));
  }
  if (engine.host.empty()) {
    return;
  }
  if (engine.host.size() > hosts_max) {
    it.refuse("engine.host", say("names more than {} ways", hosts_max));
  }
  if (!engine.environment.empty()) {
    it.refuse("engine.environment", say("does not reach the machine of engine.host: set it there"));
  }
  for (const auto& [key, place] : it.places) {
    if (key.starts_with("engine.limits.")) {
      it.refuse(key, say("does not reach the machine of engine.host: set it there"));
    }
  }
}

/// The item of the team that is called so for want of a name of its own.
std::optional<std::size_t> nameless_item(const Engine& engine, const std::string& called) {
  for (std::size_t item = 0; item < engine.team.size(); ++item) {
    if (engine.team[item].name.empty() && name_of_member(engine.team[item], item) == called) {
      return item;
    }
  }
  return std::nullopt;
}

void judge_team(const Judged& it) {
  const Engine& engine = it.bot.engine;
  if (engine.team.empty()) {
    // One that could not be read is no team that is missing.
    if (engine.team_play != TeamPlay::standby && !it.is_given("engine.team[1]")) {
      it.refuse("engine.team_play", say("needs a team: name the further engines in engine.team"));
    }
    return;
  }
  if (engine.standby.enabled) {
    it.refuse("engine.standby", say("has no place beside engine.team, whose members take over from each other: make it "
                                    "one of them, or leave it out"));
  }
  if (engine.team_play == TeamPlay::multi_ponder && it.bot.ponder == Ponder::off && it.bot.rules.empty()) {
    it.refuse("engine.team_play", say("multi_ponder thinks on the opponent's time: it needs ponder: on, or early"));
  }
  std::map<std::string, std::size_t> names;
  for (std::size_t i = 0; i < engine.team.size(); ++i) {
    const FurtherEngine& own = engine.team[i];
    const std::string path = "engine.team[" + std::to_string(i + 1) + "]";
    const auto refuse_in = [&](const char* leaf, base::Message why) { it.refuse(path + "." + leaf, std::move(why)); };
    if (own.name == name_of_main_engine) {
      refuse_in("name", say("is the name of the main engine"));
    } else if (const auto first = names.emplace(own.name, i); !own.name.empty() && !first.second) {
      refuse_in("name", say("is the name of engine.team[{}] too", first.first->second + 1));
    } else if (const auto other = nameless_item(engine, own.name); other && !own.name.empty()) {
      refuse_in("name", say("is what engine.team[{}] is called, which has no name", *other + 1));
    }
    const Engine member = further_engine(engine, own);
    if (own.host.size() > hosts_max) {
      refuse_in("host", say("names more than {} ways", hosts_max));
    }
    for (const char* leaf : {"environment", "cpus"}) {
      if (!member.host.empty() && it.is_given(path + "." + leaf)) {
        refuse_in(leaf, say("does not reach the machine of the member's host: set it there"));
      }
    }
  }
}

/// Each rule over the bot's own settings: how rules go together is for the game to show.
void judge_rules(const Judged& it) {
  for (std::size_t i = 0; i < it.bot.rules.size(); ++i) {
    BotConfig alone = it.bot;
    alone.rules = {it.bot.rules[i]};
    alone.rules.front().when.clear();
    const BotConfig set = choose_settings(alone, {}).bot;
    if (set.time.margin_min > set.time.margin_max && it.bot.time.margin_min <= it.bot.time.margin_max) {
      it.report.problem({it.bot.rules[i].line, 1}, "rules[" + std::to_string(i + 1) + "].set",
                     say("makes time.margin_min ({}) more than time.margin_max ({}); set the other bound too",
                         spell_duration(set.time.margin_min), spell_duration(set.time.margin_max)));
    }
  }
}

void judge_transport(const Judged& it) {
  if (it.is_given("server.tls.certificate_file") != it.is_given("server.tls.key_file")) {
    const bool has_key = it.is_given("server.tls.key_file");
    it.refuse(has_key ? "server.tls.key_file" : "server.tls.certificate_file",
           say("goes with {}, which is not given",
               std::string(has_key ? "server.tls.certificate_file" : "server.tls.key_file")));
  }
  if (it.is_given("server.tls.fingerprint") && it.is_given("server.tls.ca_file")) {
    it.refuse("server.tls.ca_file",
           say("has no say beside server.tls.fingerprint, which trusts one certificate alone; remove one of them"));
  }
  if (it.bot.server.websocket.enabled && !it.is_given("server.port")) {
    it.refuse("server.port", it.bot.server.tls.enabled
                              ? say("must be given for a WebSocket; most are at 443")
                              : say("must be given for a WebSocket; most are at 80, or with server.tls at 443"));
  }
}

void judge_proxy(const Judged& it) {
  constexpr const char* file = "server.proxy_password_file";
  if (!it.is_given(file)) {
    return;
  }
  const auto& proxy = it.bot.server.proxy;
  if (!it.is_given("server.proxy")) {
    it.refuse(file, say("goes with server.proxy, which is not given"));
  } else if (proxy && proxy->user.empty()) {
    it.refuse(file, say("goes with a user in server.proxy: write socks5://user@host:port"));
  } else if (proxy && !proxy->password.empty()) {
    it.refuse(file, say("the proxy's password has one source, and server.proxy holds one too; remove it there"));
  }
}

void judge_recipients(const Judged& it) {
  for (std::size_t i = 1; i <= it.bot.notify.size(); ++i) {
    const std::string item = "notify[" + std::to_string(i) + "]";
    const bool has_file = it.is_given(item + ".url_file");
    if (has_file == it.is_given(item + ".command")) {
      it.refuse(item, say("each item needs either url_file or command"));
    } else if (!has_file && it.is_given(item + ".template")) {
      it.refuse(item, say("template goes with url_file; a command gets JSON"));
    }
  }
}

void judge_record_formats(const Judged& it) {
  if (!it.bot.records.enabled) {
    return;
  }
  const auto& formats = it.bot.records.formats;
  const auto has = [&](shogi::record::Format format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  if (has(shogi::record::Format::csa) && has(shogi::record::Format::csa3)) {
    it.refuse("records.formats", say("csa and csa3 are both kept in .csa files; name one of them"));
  } else if (!it.bot.journal.enabled && !has(shogi::record::Format::csa) && !has(shogi::record::Format::csa3)) {
    it.warn("records.formats",
            say("only csa and csa3 grow with every move; without them and without a journal a game that a "
                       "crash cuts short leaves no record"));
  }
}

/// The same account twice, the same name twice, one log described twice: by index of the first.
template <class Value>
using First = std::map<Value, std::size_t>;

}  // namespace

void validate(const BotConfig& bot, const Places& places, Report& report) {
  const Judged it{bot, places, report};
  for (const auto judge : {judge_password_source, judge_game_label, judge_login_mode, judge_transport, judge_proxy,
                           judge_passed_environment, judge_margin, judge_ponder_option, judge_protocol, judge_kept_engine,
                           judge_team, judge_recipients, judge_record_formats, judge_rules}) {
    judge(it);
  }
}

void validate_together(const std::vector<BotConfig>& bots, const std::vector<Places>& places,
                       std::vector<Report>& reports) {
  First<std::tuple<std::string, std::uint16_t, std::string>> accounts;
  First<std::string> names;
  First<std::string> logs;
  for (std::size_t i = 0; i < bots.size(); ++i) {
    const BotConfig& bot = bots[i];
    const auto& [host, port] = std::tie(bot.server.host, bot.server.port);
    if (host.empty() || bot.account.name.empty()) {
      continue;
    }
    const auto account = accounts.emplace(std::tuple(lower(host), port, bot.account.name), i);
    if (!account.second) {
      reports[i].problem(place_of(places[i], "account.name"), "account.name",
                         say("{} is already the account on {}:{} in {}; two logins under one name throw each other out",
                             quoted(bot.account.name), host, port, reports[account.first->second].file()));
    } else if (const auto name = names.emplace(bot.name, i); !name.second) {
      reports[i].warning(place_of(places[i], places[i].contains("name") ? "name" : "account.name"),
                         "name",
                         say("the log calls the bot of {} {} too; give one of them another name",
                             reports[name.first->second].file(), quoted(bot.name)));
    }
    const auto log = logs.emplace(bot.log.file, i);
    const Log& first = bots[log.first->second].log;
    if (std::tie(first.level, first.format, first.language, first.rotate_bytes, first.rotate_keep) !=
        std::tie(bot.log.level, bot.log.format, bot.log.language, bot.log.rotate_bytes, bot.log.rotate_keep)) {
      reports[i].warning(place_of(places[i], "log"), "log",
                         say("these settings differ from those in {}, which logs to the same place; those count",
                             reports[log.first->second].file()));
    }
  }
}

void introduce_to_each_other(std::vector<BotConfig>& bots) {
  for (BotConfig& bot : bots) {
    for (const BotConfig& other : bots) {
      const std::string& name = other.account.name;
      auto& own = bot.game.own_accounts;
      const bool is_same_server =
          lower(other.server.host) == lower(bot.server.host) && other.server.port == bot.server.port;
      if (is_same_server && !name.empty() && name != bot.account.name && std::find(own.begin(), own.end(), name) == own.end()) {
        own.push_back(name);
      }
    }
  }
}

}  // namespace kakehashi::config
