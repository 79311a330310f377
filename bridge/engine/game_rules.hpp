// The rules of a game that an engine should know and that USI has no words for: the move limit and
// the entering-king declaration. Which engine option says which is one table, in game_rules.cpp.
// Pure; it knows summaries and option declarations, no engine process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "csa/game_summary.hpp"
#include "usi/option.hpp"

namespace kakehashi::bridge {

/// How an engine should round its thinking up to the server's seconds.
struct RoundUp {
  bool is_on = false;        ///< the server counts seconds, and rounds T down
  base::Millis reserve{0};   ///< kept free at a second's end, for the way

  friend bool operator==(const RoundUp&, const RoundUp&) = default;
};

/// The word of an Entering_King_Rule by which nobody can declare a win.
inline constexpr std::string_view no_declaration = "NoEnteringKing";

struct GameRules {
  std::optional<int> max_moves;  ///< plies since the initial position; nothing: no limit
  std::string entering_king;     ///< "CSARule27"; "NoEnteringKing" where none may be declared, or by no rule we know
  std::optional<RoundUp> round_up{};  ///< nothing: the engine rounds as it likes

  friend bool operator==(const GameRules&, const GameRules&) = default;
};

/// As announced by Max_Moves, Declaration and Entering_King_Rule (an extension).
[[nodiscard]] GameRules rules_of(const csa::GameSummary& summary);

/// A Declaration is announced by a word that names no rule known here (and no Entering_King_Rule beside it).
[[nodiscard]] bool has_unknown_declaration(const csa::GameSummary& summary);

/// For our clock in that game; `way` is how long a move may take to arrive.
[[nodiscard]] RoundUp round_up_for(const csa::GameSummary& summary, base::Millis way);

/// An option that says a rule, and what in the summary it comes from.
struct RuleOption {
  usi::OptionSetting setting;
  base::Message source;  ///< "Max_Moves:256"
};

/// The option among the declared ones, and its value, by which the engine declares no win; nothing: it has none.
[[nodiscard]] std::optional<usi::OptionSetting> no_declaration_option(const std::vector<usi::Option>& declared);

/// The options among the declared ones that say these rules, with the values that they would take;
/// a value that the engine does not accept is left out. No limit is what the engine does by itself.
[[nodiscard]] std::vector<RuleOption> rule_options(const GameRules& rules,
                                                   const std::vector<usi::Option>& declared);

}  // namespace kakehashi::bridge
