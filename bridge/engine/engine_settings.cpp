// What an engine is told before it may search: the user's options, pondering, the game's rules.
#include <algorithm>
#include <utility>

#include "bridge/engine/engine_supervisor.hpp"
#include "usi/settings.hpp"

namespace kakehashi::bridge {

using base::Now;

namespace {

using Settings = std::vector<usi::OptionSetting>;

bool names(const Settings& settings, const std::string& option) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const usi::OptionSetting& setting) { return setting.name == option; });
}

/// Each time that the option is set; a button has no value.
std::vector<std::optional<std::string>> values_of(const Settings& settings,
                                                  const std::string& option) {
  std::vector<std::optional<std::string>> values;
  for (const usi::OptionSetting& setting : settings) {
    if (setting.name == option) {
      values.push_back(setting.value);
    }
  }
  return values;
}

}  // namespace

std::vector<usi::OptionSetting> EngineSupervisor::settings(Outbox& out) const {
  usi::Settings settings = usi::plan_settings(usi::dialect_of(config_.protocol), declared_,
                                              config_.options, ponder_);
  for (const std::string& problem : settings.problems) {
    out.warn("engine_option_skipped", "engine.options: " + problem + "; it was not set");
    out.count(Incident::engine_option_skipped);
  }
  return std::move(settings.lines);
}

void EngineSupervisor::adopt(const config::Engine& config, bool ponder) {
  config_.options = config.options;
  config_.clock = config.clock;
  ponder_ = ponder;
}

std::vector<usi::OptionSetting> EngineSupervisor::changed_settings(Process& process, Outbox& out) const {
  if (process.told.options == config_.options && process.told.ponder == ponder_) {
    return {};
  }
  const auto before =
      usi::plan_settings(usi::dialect_of(config_.protocol), declared_, process.told.options, process.told.ponder)
          .lines;
  const auto after = settings(out);
  process.told.options = config_.options;
  process.told.ponder = ponder_;
  std::vector<usi::OptionSetting> changed;
  for (const usi::OptionSetting& setting : before) {
    const usi::Option* option = usi::find_option(declared_, setting.name);
    const bool is_let_go = option != nullptr && setting.value && !names(after, setting.name) &&
                           !names(changed, setting.name);
    if (is_let_go) {
      changed.push_back({setting.name, option->default_value});
      process.told.rules.erase(setting.name);
    }
  }
  for (const usi::OptionSetting& setting : after) {
    if (values_of(before, setting.name) != values_of(after, setting.name)) {
      changed.push_back(setting);
    }
  }
  return changed;
}

const std::string* EngineSupervisor::set_by_user(std::string_view option) const {
  static const std::string pressed;
  const auto set = std::find_if(config_.options.rbegin(), config_.options.rend(),
                                [&](const auto& candidate) { return candidate.first == option; });
  if (set == config_.options.rend()) {
    return nullptr;
  }
  return set->second ? &*set->second : &pressed;
}

bool EngineSupervisor::rewinds_when_pondering() const {
  const usi::Option* option = usi::find_option(declared_, "Stochastic_Ponder");
  if (option == nullptr) {
    return false;
  }
  const std::string* own = set_by_user(option->name);
  return (own != nullptr ? *own : option->default_value) == "true";
}

std::vector<usi::OptionSetting> EngineSupervisor::changed_rules(Process& process, Outbox& out) const {
  std::vector<usi::OptionSetting> changed;
  if (!rules_) {
    return changed;
  }
  for (RuleOption& rule : rule_options(*rules_, declared_)) {
    const std::string& option = rule.setting.name;
    const std::string wanted = rule.setting.value.value_or("");
    if (const std::string* own = set_by_user(option)) {
      if (*own != wanted) {
        out.warn("engine_rule_contradicted", "engine.options sets " + option + " to " + *own +
                                                 ", which stays; the game's summary calls for " +
                                                 wanted + " (" + rule.source + ")");
      }
      continue;
    }
    const auto declared = std::find_if(
        declared_.begin(), declared_.end(),
        [&](const usi::Option& candidate) { return candidate.name == option; });
    std::string& in_place = process.told.rules.try_emplace(option, declared->default_value).first->second;
    if (in_place != wanted) {
      in_place = wanted;
      out.info("engine_rule_set", "engine option " + option + " is set to " + wanted + ": " +
                                      rule.source + " in the game's summary");
      changed.push_back(std::move(rule.setting));
    }
  }
  return changed;
}

void EngineSupervisor::tell_rules(Now now, Outbox& out) {
  std::vector<usi::OptionSetting> changed = changed_settings(*process(), out);
  for (usi::OptionSetting& rule : changed_rules(*process(), out)) {
    changed.push_back(std::move(rule));
  }
  if (!changed.empty()) {
    prepare(changed, now, out);
  }
}

}  // namespace kakehashi::bridge
