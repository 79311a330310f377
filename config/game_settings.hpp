// What a bot's rules (SettingRule) make of its settings for one game, and which settings they may
// change. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/bot_config.hpp"
#include "config/setting_rule.hpp"

namespace kakehashi::config {

/// The keys that a rule may set: those that can still change when a game is offered.
[[nodiscard]] const std::vector<std::string>& settable_keys();

struct GameSettings {
  BotConfig bot;                     ///< as it plays this game
  std::vector<std::size_t> applied;  ///< indices into bot.rules
};

/// The rules in the written order, each over the ones before it. An engine option that stands in
/// engine.options already keeps its place there.
[[nodiscard]] GameSettings choose_settings(const BotConfig& bot, const GameFacts& facts);

/// What a game's name tells by itself: nothing of the clock when it is none.
[[nodiscard]] GameFacts facts_of_name(std::string_view game_name);

/// "floodgate-300-10F" of "wdoor+floodgate-300-10F+black+white+20260102030405"; empty: none.
[[nodiscard]] std::string game_name_in(std::string_view game_id);

/// "ponder: off, engine.options: {Threads: 4}".
[[nodiscard]] std::string describe_set(const SettingRule& rule);

/// "{when: {…}, set: {…}}", on one line.
[[nodiscard]] std::string spell_rule(const SettingRule& rule);

}  // namespace kakehashi::config
