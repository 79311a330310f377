#include "bridge/engine/engine_options.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace kakehashi::bridge {

using base::say;

namespace {

using Settings = std::vector<usi::OptionSetting>;

/// Options that keep time back, all in milliseconds.
constexpr std::string_view of_each_move = "NetworkDelay2";  // YaneuraOu and its family

/// YaneuraOu's NetworkDelay is none of them: it shifts the rounding to whole seconds, and saves one a move.
constexpr std::array<std::string_view, 7> delaying{
    of_each_move,
    "Move Overhead",   "MoveOverhead",         // Stockfish and its family
    "Time_Margin",                             // dlshogi
    "ByoyomiMargin",   "Byoyomi_Margin", "FischerMargin",
};

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

std::vector<EngineDelay> engine_delays(
    const std::vector<usi::Option>& declared,
    const std::function<const std::string*(const std::string&)>& set) {
  std::vector<EngineDelay> delays;
  for (const usi::Option& option : declared) {
    if (std::find(delaying.begin(), delaying.end(), option.name) == delaying.end()) {
      continue;
    }
    const std::string* own = set(option.name);
    const auto value = base::parse_int(own != nullptr ? *own : option.default_value);
    if (value && *value >= engine_delay_min.count() && *value < 3'600'000) {
      delays.push_back({option.name, base::Millis{*value}, option.name == of_each_move});
    }
  }
  return delays;
}

EngineOptions::EngineOptions(const config::Engine& config, bool ponder)
    : protocol_(config.protocol), wanted_(config.options), ponder_(ponder) {}

void EngineOptions::adopt(const config::Engine& config, bool ponder) {
  wanted_ = config.options;
  ponder_ = ponder;
  find_delays();
}

Settings EngineOptions::plan(Outbox& out) const {
  usi::Settings settings = usi::plan_settings(usi::dialect_of(protocol_), declared_, wanted_, ponder_);
  for (const base::Message& problem : settings.problems) {
    out.warn("engine_option_skipped", say("engine.options: {}; it was not set", problem));
    out.count(Incident::engine_option_skipped);
  }
  return std::move(settings.lines);
}

Settings EngineOptions::on_declared(std::vector<usi::Option> declared, Outbox& out) {
  declared_ = std::move(declared);
  find_delays();
  told_ = Told{wanted_, ponder_};
  return plan(out);
}

Settings EngineOptions::changed_plan(Outbox& out) {
  if (told_.options == wanted_ && told_.ponder == ponder_) {
    return {};
  }
  const Settings before =
      usi::plan_settings(usi::dialect_of(protocol_), declared_, told_.options, told_.ponder).lines;
  const Settings after = plan(out);
  told_.options = wanted_;
  told_.ponder = ponder_;
  Settings changed;
  for (const usi::OptionSetting& setting : before) {
    const usi::Option* option = usi::find_option(declared_, setting.name);
    const bool is_let_go = option != nullptr && setting.value && !names(after, setting.name) &&
                           !names(changed, setting.name);
    if (is_let_go) {
      changed.push_back({setting.name, option->default_value});
      told_.rules.erase(setting.name);
    }
  }
  for (const usi::OptionSetting& setting : after) {
    if (values_of(before, setting.name) != values_of(after, setting.name)) {
      changed.push_back(setting);
      told_.rules.erase(setting.name);
    }
  }
  return changed;
}

Settings EngineOptions::changed_rules(Outbox& out) {
  Settings changed;
  if (!rules_) {
    return changed;
  }
  for (RuleOption& rule : rule_options(*rules_, declared_)) {
    const std::string& option = rule.setting.name;
    const std::string wanted = rule.setting.value.value_or("");
    const std::string* own = set_by_user(option);
    if (own != nullptr && *own != wanted) {
      out.warn("engine_rule_contradicted",
               say("engine.options sets {} to {}, which stays; the game's summary calls for {} ({})", option, *own,
                   wanted, rule.source));
    }
    const std::string& value = own != nullptr ? *own : wanted;
    std::string& in_place = in_place_of(option);
    if (in_place == value) {
      continue;
    }
    in_place = value;
    if (own == nullptr) {
      out.info("engine_rule_set",
               say("engine option {} is set to {}: {} in the game's summary", option, wanted, rule.source));
    }
    changed.push_back({option, value});
  }
  return changed;
}

std::string& EngineOptions::in_place_of(const std::string& option) {
  const std::string* own = set_by_user(option);
  return told_.rules.try_emplace(option, own != nullptr ? *own : usi::find_option(declared_, option)->default_value)
      .first->second;
}

std::optional<usi::OptionSetting> EngineOptions::forbid_declaration(Outbox& out) {
  auto setting = no_declaration_option(declared_);
  if (!setting || std::exchange(in_place_of(setting->name), *setting->value) == *setting->value) {
    return std::nullopt;
  }
  out.info("engine_rule_set",
           say("engine option {} is set to {} for the rest of the game: the engine declares a win that does "
               "not hold",
               setting->name, *setting->value));
  return setting;
}

Settings EngineOptions::changes(Outbox& out) {
  Settings changed = changed_plan(out);
  for (usi::OptionSetting& rule : changed_rules(out)) {
    changed.push_back(std::move(rule));
  }
  return changed;
}

const std::string* EngineOptions::set_by_user(std::string_view option) const {
  static const std::string pressed;
  const auto set = std::find_if(wanted_.rbegin(), wanted_.rend(),
                                [&](const auto& candidate) { return candidate.first == option; });
  if (set == wanted_.rend()) {
    return nullptr;
  }
  return set->second ? &*set->second : &pressed;
}

void EngineOptions::find_delays() {
  delays_ = engine_delays(declared_, [this](const std::string& name) { return set_by_user(name); });
}

bool EngineOptions::rewinds_when_pondering() const {
  const usi::Option* option = usi::find_option(declared_, "Stochastic_Ponder");
  if (option == nullptr) {
    return false;
  }
  const std::string* own = set_by_user(option->name);
  return (own != nullptr ? *own : option->default_value) == "true";
}

}  // namespace kakehashi::bridge
