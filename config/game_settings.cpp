#include "config/game_settings.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

constexpr const char* options_key = "engine.options";

/// The first time that a rule names an option, it takes the place of what was set before.
void set_option(const PlainSetting& setting, bool is_first, Engine& engine) {
  const std::string& name = setting.values.front();
  const auto value =
      setting.values.size() > 1 ? std::optional(setting.values[1]) : std::nullopt;
  const auto is_named = [&](const auto& option) { return option.first == name; };
  const auto present = std::find_if(engine.options.begin(), engine.options.end(), is_named);
  if (!is_first || present == engine.options.end()) {
    engine.options.emplace_back(name, value);
    return;
  }
  present->second = value;
  engine.options.erase(std::remove_if(present + 1, engine.options.end(), is_named),
                       engine.options.end());
}

void obey(const SettingRule& rule, BotConfig& bot) {
  std::set<std::string> named;
  for (const PlainSetting& setting : rule.set) {
    if (setting.key == options_key && !setting.values.empty()) {
      set_option(setting, named.insert(setting.values.front()).second, bot.engine);
    } else {
      static_cast<void>(apply(setting, bot));  // read from a file, by the same table
    }
  }
}

/// "Threads: 4, Hash: 16": those options of a rule.
std::string spell_options(const SettingRule& rule) {
  std::string text;
  for (const PlainSetting& setting : rule.set) {
    if (setting.key == options_key && !setting.values.empty()) {
      text += (text.empty() ? "" : ", ") + setting.values.front() + ": " +
              (setting.values.size() > 1 ? setting.values[1] : std::string());
    }
  }
  return text;
}

}  // namespace

const std::vector<std::string>& settable_keys() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> paths;
    for (const Key& key : keys()) {
      if (key.is_settable) {
        paths.push_back(key.path);
      }
    }
    return paths;
  }();
  return all;
}

GameSettings choose_settings(const BotConfig& bot, const GameFacts& facts) {
  GameSettings chosen{bot, {}};
  for (std::size_t i = 0; i < bot.rules.size(); ++i) {
    if (!why_not(bot.rules[i], facts)) {
      obey(bot.rules[i], chosen.bot);
      chosen.applied.push_back(i);
    }
  }
  return chosen;
}

GameFacts facts_of_name(std::string_view game_name) {
  GameFacts facts;
  facts.game_name = std::string(game_name);
  if (const auto name = parse_game_name(game_name)) {
    facts.total = name->total;
    facts.byoyomi = name->is_fischer ? Millis{0} : Millis{name->per_move};
    facts.increment = name->is_fischer ? Millis{name->per_move} : Millis{0};
  }
  return facts;
}

std::string game_name_in(std::string_view game_id) {
  const auto parts = base::split(game_id, '+');
  return parts.size() > 1 && parse_game_name(parts[1]) ? std::string(parts[1]) : std::string();
}

std::string describe_set(const SettingRule& rule) {
  std::string text;
  bool has_options = false;
  for (const PlainSetting& setting : rule.set) {
    const bool is_option = setting.key == options_key;
    if (!is_option || !std::exchange(has_options, true)) {
      text += (text.empty() ? "" : ", ") + setting.key + ": " +
              (is_option ? "{" + spell_options(rule) + "}" : spell_value(*find_key(setting.key), setting));
    }
  }
  return text;
}

std::string spell_rule(const SettingRule& rule) {
  std::string when;
  for (const Condition& condition : rule.when) {
    when += (when.empty() ? "" : ", ") + std::string(path_of(condition.aspect)) + ": [" +
            base::join(condition.texts, ", ") + "]";
  }
  return "{when: {" + when + "}, set: {" + describe_set(rule) + "}}";
}

}  // namespace kakehashi::config
