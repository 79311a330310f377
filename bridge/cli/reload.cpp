#include "bridge/cli/reload.hpp"

#include <algorithm>
#include <set>

#include "config/plain_settings.hpp"

namespace kakehashi::bridge::cli {
namespace {

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

}  // namespace

Changes changes_between(const config::BotConfig& now, const config::BotConfig& next) {
  auto keys = differing_keys(config::plain_settings(now), config::plain_settings(next));
  // Secrets are masked in plain settings, so that they are compared here.
  if (now.account.password.reveal() != next.account.password.reveal()) {
    keys.insert("account.password");
  }
  if (now.engine.environment != next.engine.environment) {
    keys.insert("engine.environment");
  }
  if (now.engine.standby.environment != next.engine.standby.environment) {
    keys.insert("engine.standby.environment");
  }
  Changes changes;
  for (const std::string& key : keys) {
    // Several bots share a log, and its file is open.
    (key.starts_with("log.") ? changes.with_restart : changes.with_renewal).push_back(key);
  }
  return changes;
}

std::string joined(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    text += (text.empty() ? "" : ", ") + key;
  }
  return text;
}

bool may_reload(const config::Loaded& loaded, std::size_t bots_count, Logs& logs) {
  for (const auto& warning : loaded.warnings) {
    logs.say(Level::warn, "reload_warning", config::describe(warning));
  }
  for (const auto& problem : loaded.problems) {
    logs.say(Level::error, "reload_refused", config::describe(problem) + "; nothing was changed");
  }
  if (!loaded.problems.empty()) {
    return false;
  }
  if (loaded.bots.size() != bots_count) {
    logs.say(Level::error, "reload_refused",
             "there are now " + std::to_string(loaded.bots.size()) + " configurations, and " +
                 std::to_string(bots_count) +
                 " bots run: restart to begin or end bots; nothing was changed");
    return false;
  }
  return true;
}

}  // namespace kakehashi::bridge::cli
