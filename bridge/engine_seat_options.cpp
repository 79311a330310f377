// What an engine is told before it may search: the user's options, pondering, the game's rules.
#include <algorithm>
#include <utility>

#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Now;

std::vector<usi::OptionSetting> EngineSeat::settings(Outbox& out) const {
  const std::vector<usi::Option>& declared = session_.options();
  const auto is_declared = [&](std::string_view name) {
    return std::any_of(declared.begin(), declared.end(),
                       [&](const usi::Option& option) { return option.name == name; });
  };
  std::vector<usi::OptionSetting> settings;
  for (const auto& [name, value] : config_.options) {
    usi::OptionSetting setting{name, value};
    if (const auto problem = usi::check_setting(declared, setting)) {
      out.warn("engine_option_skipped", "engine.options: " + *problem + "; it was not set");
      continue;
    }
    settings.push_back(std::move(setting));
  }
  // Shogidokoro's definition lets USI_Ponder be set without a declaration; UCI-born engines name
  // it Ponder. Switching it off needs saying only to an engine that knows the option.
  const std::string ponder_name =
      !is_declared("USI_Ponder") && is_declared("Ponder") ? "Ponder" : "USI_Ponder";
  if (set_by_user(ponder_name) == nullptr && (ponder_ || is_declared(ponder_name))) {
    settings.push_back({ponder_name, ponder_ ? "true" : "false"});
  }
  return settings;
}

const std::string* EngineSeat::set_by_user(std::string_view option) const {
  static const std::string pressed;
  const auto set = std::find_if(config_.options.rbegin(), config_.options.rend(),
                                [&](const auto& candidate) { return candidate.first == option; });
  if (set == config_.options.rend()) {
    return nullptr;
  }
  return set->second ? &*set->second : &pressed;
}

std::vector<usi::OptionSetting> EngineSeat::changed_rules(Outbox& out) {
  std::vector<usi::OptionSetting> changed;
  if (!rules_) {
    return changed;
  }
  for (RuleOption& rule : rule_options(*rules_, session_.options())) {
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
        session_.options().begin(), session_.options().end(),
        [&](const usi::Option& candidate) { return candidate.name == option; });
    std::string& in_place = rules_in_place_.try_emplace(option, declared->default_value).first->second;
    if (in_place != wanted) {
      in_place = wanted;
      out.info("engine_rule_set", "engine option " + option + " is set to " + wanted + ": " +
                                      rule.source + " in the game's summary");
      changed.push_back(std::move(rule.setting));
    }
  }
  return changed;
}

void EngineSeat::prepare_game(const GameRules& rules, Now now, Outbox& out) {
  rules_ = rules;
  if (!is_idle()) {
    return;  // the next readyok comes after the rules
  }
  if (const auto changed = changed_rules(out); !changed.empty()) {
    state_ = State::preparing;
    deadline_ = now.steady + config_.ready_timeout;
    write(session_.prepare(changed).lines, out);
  }
}

}  // namespace kakehashi::bridge
