#include "usi/settings.hpp"

#include <algorithm>
#include <string_view>

namespace kakehashi::usi {

namespace {

constexpr const char* variant_option = "UCI_Variant";

/// The option's name on the wire.
std::string spelled(const std::vector<Option>& declared, const std::string& name) {
  const Option* option = find_option(declared, name);
  return option != nullptr ? option->name : name;
}

void set_shogi(const std::vector<Option>& declared, Settings& settings) {
  const Option* variant = find_option(declared, variant_option);
  if (variant == nullptr) {
    return;  // an engine of one game; its moves will show which
  }
  const bool has_shogi =
      std::find(variant->choices.begin(), variant->choices.end(), "shogi") != variant->choices.end();
  if (has_shogi) {
    settings.lines.push_back({variant->name, "shogi"});
  } else {
    settings.problems.emplace_back("the engine's UCI_Variant does not offer shogi");
  }
}

}  // namespace

Settings plan_settings(
    const Dialect& dialect, const std::vector<Option>& declared,
    const WantedOptions& wanted, bool ponder) {
  Settings settings;
  const auto is_set_by_user = [&](std::string_view name) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const auto& setting) {
      return setting.first == name || spelled(declared, setting.first) == name;
    });
  };
  // First of all: a change of the game puts other options back in some engines.
  if (dialect.notation == Notation::uci && !is_set_by_user(variant_option)) {
    set_shogi(declared, settings);
  }
  for (const auto& [name, value] : wanted) {
    const OptionSetting setting{name, value};
    if (auto problem = check_setting(declared, setting)) {
      settings.problems.push_back(std::move(*problem));
    } else {
      settings.lines.push_back({spelled(declared, name), value});
    }
  }
  if (!dialect.has_ponder) {
    return settings;
  }
  const bool is_declared = find_option(declared, dialect.ponder_option) != nullptr;
  const std::string name = spelled(declared, dialect.ponder_option);
  // An engine that declares no such option is told only in USI, and only of a yes: some complain.
  const bool is_worth_saying = is_declared || (ponder && dialect.protocol == Protocol::usi);
  if (!is_set_by_user(name) && is_worth_saying) {
    settings.lines.push_back({name, ponder ? "true" : "false"});
  }
  return settings;
}

}  // namespace kakehashi::usi
