#include "bridge/game_rules.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace kakehashi::bridge {

namespace {

enum class Rule { max_moves, entering_king };

struct Row {
  std::string_view option;
  Rule rule;
};

constexpr std::array table{
    Row{"MaxMovesToDraw", Rule::max_moves},        // YaneuraOu and its family, rshogi
    Row{"Draw_Ply", Rule::max_moves},              // dlshogi
    Row{"EnteringKingRule", Rule::entering_king},  // YaneuraOu and its family, rshogi
};

constexpr std::string_view no_declaration = "NoEnteringKing";

RuleOption say(const Row& row, const GameRules& rules, const usi::Option& declared) {
  std::string name(row.option);
  switch (row.rule) {
    case Rule::max_moves:
      return rules.max_moves
                 ? RuleOption{{std::move(name), std::to_string(*rules.max_moves)},
                              "Max_Moves:" + std::to_string(*rules.max_moves)}
                 : RuleOption{{std::move(name), declared.default_value}, "no Max_Moves"};
    case Rule::entering_king:
      return {{std::move(name), rules.entering_king},
              rules.entering_king == no_declaration ? "no Declaration" : "the declaration rule"};
  }
  return {{std::move(name), declared.default_value}, ""};
}

}  // namespace

GameRules rules_of(const csa::GameSummary& summary) {
  std::string entering_king(no_declaration);
  if (!summary.entering_king_rule.empty()) {
    entering_king = summary.entering_king_rule;
  } else if (!summary.declaration.empty()) {
    entering_king = "CSARule27";  // Jishogi 1.1, the only value there is, is the 27-point rule
  }
  return {summary.max_moves, std::move(entering_king)};
}

std::vector<RuleOption> rule_options(const GameRules& rules,
                                     const std::vector<usi::Option>& declared) {
  std::vector<RuleOption> options;
  for (const Row& row : table) {
    const auto option =
        std::find_if(declared.begin(), declared.end(),
                     [&](const usi::Option& candidate) { return candidate.name == row.option; });
    if (option == declared.end()) {
      continue;
    }
    RuleOption said = say(row, rules, *option);
    if (!usi::check_setting(declared, said.setting)) {
      options.push_back(std::move(said));
    }
  }
  return options;
}

}  // namespace kakehashi::bridge
