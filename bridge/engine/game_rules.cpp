#include "bridge/engine/game_rules.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kakehashi::bridge {

namespace {

enum class Rule { max_moves, entering_king, round_up, second_reserve };

struct Row {
  std::string_view option;
  Rule rule;
};

constexpr std::array table{
    Row{"MaxMovesToDraw", Rule::max_moves},        // YaneuraOu and its family, rshogi
    Row{"Draw_Ply", Rule::max_moves},              // dlshogi
    Row{"EnteringKingRule", Rule::entering_king},  // YaneuraOu and its family, rshogi
    Row{"RoundUpToFullSecond", Rule::round_up},    // the same
    Row{"NetworkDelay", Rule::second_reserve},     // the same; what its rounding leaves free
};

/// Of a second's end: for the machines on both ends to get round to it.
constexpr base::Millis reserve_least{50};
constexpr base::Millis reserve_step{50};

/// The CSA protocol's word for the 27-point rule, the only one that it defines.
constexpr std::string_view jishogi = "Jishogi 1.1";

RuleOption told(const Row& row, const GameRules& rules, const usi::Option& declared) {
  std::string name(row.option);
  const auto seconds_clock = [] { return base::say("a clock of whole seconds"); };
  switch (row.rule) {
    case Rule::max_moves:
      return rules.max_moves ? RuleOption{{std::move(name), std::to_string(*rules.max_moves)},
                                          base::verbatim("Max_Moves:" + std::to_string(*rules.max_moves))}
                             : RuleOption{{std::move(name), declared.default_value}, base::say("no Max_Moves")};
    case Rule::entering_king:
      return {{std::move(name), rules.entering_king},
              rules.entering_king == no_declaration ? base::say("no Declaration") : base::say("the declaration rule")};
    case Rule::round_up:
      return {{std::move(name), rules.round_up->is_on ? "true" : "false"},
              rules.round_up->is_on ? seconds_clock() : base::say("a clock that is not rounded down to seconds")};
    case Rule::second_reserve:
      return {{std::move(name), std::to_string(rules.round_up->reserve.count())}, seconds_clock()};
  }
  return {{std::move(name), declared.default_value}, {}};
}

}  // namespace

bool has_unknown_declaration(const csa::GameSummary& summary) {
  return summary.entering_king_rule.empty() && !summary.declaration.empty() && summary.declaration != jishogi;
}

GameRules rules_of(const csa::GameSummary& summary) {
  std::string entering_king(no_declaration);
  if (!summary.entering_king_rule.empty()) {
    entering_king = summary.entering_king_rule;
  } else if (summary.declaration == jishogi) {
    entering_king = "CSARule27";
  }
  return {summary.max_moves, std::move(entering_king), std::nullopt};
}

RoundUp round_up_for(const csa::GameSummary& summary, base::Millis way) {
  const bool is_black = summary.our_color == shogi::Color::black;
  const csa::TimeControl& own = is_black ? summary.times.black : summary.times.white;
  RoundUp round_up;
  round_up.is_on = own.unit >= base::Seconds{1} && !own.rounds_up && !own.is_untimed();
  // In steps, so that a way that varies a little changes nothing from game to game.
  const auto steps = (way + reserve_least + reserve_step - base::Millis{1}) / reserve_step;
  round_up.reserve = round_up.is_on ? steps * reserve_step : base::Millis{0};
  return round_up;
}

namespace {

/// Whether the rule is said at all.
bool is_due(const Row& row, const GameRules& rules) {
  switch (row.rule) {
    case Rule::max_moves:
    case Rule::entering_king: return true;
    case Rule::round_up: return rules.round_up.has_value();
    case Rule::second_reserve: return rules.round_up && rules.round_up->is_on;
  }
  return false;
}

const usi::Option* option_of(const Row& row, const std::vector<usi::Option>& declared) {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const usi::Option& candidate) { return candidate.name == row.option; });
  return found == declared.end() ? nullptr : &*found;
}

}  // namespace

std::optional<usi::OptionSetting> no_declaration_option(const std::vector<usi::Option>& declared) {
  for (const Row& row : table) {
    usi::OptionSetting setting{std::string(row.option), std::string(no_declaration)};
    if (row.rule == Rule::entering_king && option_of(row, declared) != nullptr && !usi::check_setting(declared, setting)) {
      return setting;
    }
  }
  return std::nullopt;
}

std::vector<RuleOption> rule_options(const GameRules& rules,
                                     const std::vector<usi::Option>& declared) {
  std::vector<RuleOption> options;
  for (const Row& row : table) {
    const usi::Option* option = option_of(row, declared);
    if (option == nullptr || !is_due(row, rules)) {
      continue;
    }
    RuleOption said = told(row, rules, *option);
    if (!usi::check_setting(declared, said.setting)) {
      options.push_back(std::move(said));
    }
  }
  return options;
}

}  // namespace kakehashi::bridge
