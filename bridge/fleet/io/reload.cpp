#include "bridge/fleet/io/reload.hpp"

#include <strings.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::bridge::fleet::io {
namespace {

using config::BotConfig;
using config::PlainSetting;

/// Keys of which either configuration has a setting that the other has not. An order that differs
/// counts, since options are set in theirs.
std::set<std::string> differing_keys(const std::vector<PlainSetting>& a,
                                     const std::vector<PlainSetting>& b) {
  std::set<std::string> keys;
  const auto values_of = [](const std::vector<PlainSetting>& settings, const std::string& key) {
    std::vector<std::vector<std::string>> values;
    for (const PlainSetting& setting : settings) {
      if (setting.key == key) {
        values.push_back(setting.values);
      }
    }
    return values;
  };
  for (const auto* settings : {&a, &b}) {
    for (const PlainSetting& setting : *settings) {
      if (values_of(a, setting.key) != values_of(b, setting.key)) {
        keys.insert(setting.key);
      }
    }
  }
  return keys;
}

std::vector<std::string> sorted_names(const std::vector<BotConfig>& bots) {
  std::vector<std::string> names;
  names.reserve(bots.size());
  for (const BotConfig& bot : bots) {
    names.push_back(bot.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string only_in(const std::vector<std::string>& these, const std::vector<std::string>& those) {
  std::vector<std::string> names;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(names));
  for (std::string& name : names) {
    name = base::quote_for_log(name);
  }
  return base::join(names, ", ");
}

/// As whom the server knows a bot.
bool is_same_login(const BotConfig& a, const BotConfig& b) {
  return a.account.name == b.account.name && a.server.port == b.server.port &&
         ::strcasecmp(a.server.host.c_str(), b.server.host.c_str()) == 0;
}

std::string login_of(const BotConfig& bot) {
  return base::quote_for_log(bot.account.name) + " on " + base::quote_for_log(bot.server.host) + ":" +
         std::to_string(bot.server.port);
}

/// Of several bots with one name the login tells which is meant.
const BotConfig* find_next(const BotConfig& bot, bool is_only_one, const std::vector<BotConfig>& next) {
  const auto found = std::find_if(next.begin(), next.end(), [&](const BotConfig& other) {
    return other.name == bot.name && (is_only_one || is_same_login(other, bot));
  });
  return found == next.end() ? nullptr : &*found;
}

}  // namespace

base::Result<std::vector<BotConfig>, std::string> in_order_of(const std::vector<BotConfig>& running,
                                                              const std::vector<BotConfig>& next) {
  using Error = base::Failure<std::string>;
  const auto names = sorted_names(running);
  if (const auto next_names = sorted_names(next); names != next_names) {
    const std::string added = only_in(next_names, names);
    const std::string gone = only_in(names, next_names);
    return Error{"the files hold other bots than run" + (added.empty() ? "" : "; new: " + added) +
                 (gone.empty() ? "" : "; gone: " + gone) + ": restart to begin, end or rename bots"};
  }
  std::vector<BotConfig> matched;
  matched.reserve(running.size());
  for (const BotConfig& bot : running) {
    const bool is_only_one = std::count(names.begin(), names.end(), bot.name) == 1;
    const BotConfig* found = find_next(bot, is_only_one, next);
    if (found == nullptr) {
      return Error{"several bots are called " + base::quote_for_log(bot.name) + ", and none of them is " +
                   login_of(bot) + " any more: give each a name of its own and restart"};
    }
    for (const BotConfig& other : running) {
      if (&other != &bot && is_same_login(*found, other)) {
        return Error{base::quote_for_log(bot.name) + " would log in as " + login_of(other) +
                     ", as another bot does that runs: restart to exchange accounts"};
      }
    }
    matched.push_back(*found);
  }
  return matched;
}

Changes changes_between(const BotConfig& now, const BotConfig& next) {
  auto keys = differing_keys(config::plain_settings(now), config::plain_settings(next));
  // Secrets are masked in plain settings, so that they are compared here.
  if (now.account.password.reveal() != next.account.password.reveal()) {
    keys.insert("account.password");
  }
  const auto proxy_password = [](const BotConfig& bot) {
    return bot.server.proxy ? bot.server.proxy->password.reveal() : std::string_view();
  };
  if (proxy_password(now) != proxy_password(next)) {
    keys.insert(next.server.proxy_password_file.empty() ? "server.proxy" : "server.proxy_password_file");
  }
  if (now.engine.environment != next.engine.environment) {
    keys.insert("engine.environment");
  }
  if (now.engine.standby.environment != next.engine.standby.environment) {
    keys.insert("engine.standby.environment");
  }
  const auto environments = [](const BotConfig& bot) {
    std::vector<config::Environment> all;
    for (const config::FurtherEngine& member : bot.engine.team) {
      all.push_back(member.environment);
    }
    return all;
  };
  if (environments(now) != environments(next)) {
    keys.insert("engine.team");
  }
  Changes changes;
  for (const std::string& key : keys) {
    // Several bots share a log, and its file is open.
    (key.starts_with("log.") ? changes.with_restart : changes.with_renewal).push_back(key);
  }
  return changes;
}

std::optional<std::vector<BotConfig>> configs_to_take(config::Loaded loaded,
                                                      const std::vector<BotConfig>& running,
                                                      const Report& report) {
  for (const auto& warning : loaded.warnings) {
    report(Level::warn, "reload_warning", config::describe(warning));
  }
  for (const auto& problem : loaded.problems) {
    report(Level::error, "reload_refused", config::describe(problem) + "; nothing was changed");
  }
  if (!loaded.problems.empty()) {
    return std::nullopt;
  }
  auto matched = in_order_of(running, loaded.bots);
  if (!matched) {
    report(Level::error, "reload_refused", matched.error() + "; nothing was changed");
    return std::nullopt;
  }
  return std::move(*matched);
}

}  // namespace kakehashi::bridge::fleet::io
