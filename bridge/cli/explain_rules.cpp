#include "bridge/cli/explain_rules.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "config/game_settings.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"
#include "config/schema/quantity.hpp"

namespace kakehashi::bridge::cli {
namespace {

void tell(std::ostream& out, const std::string& word, const std::string& text) {
  out << word << std::string(word.size() < 10 ? 10 - word.size() : 1, ' ') << text << '\n';
}

config::GameFacts facts_of(const GameQuestion& question) {
  config::GameFacts facts = config::facts_of_name(question.game);
  facts.opponent = question.opponent;
  if (question.colour) {
    facts.colour = *question.colour == "black" ? shogi::Color::black : shogi::Color::white;
  }
  facts.minute_of_day = question.minute_of_day;
  return facts;
}

std::string clock_text(const config::GameFacts& facts) {
  if (!facts.total) {
    return ", whose name tells no clock";
  }
  const auto part = [](const char* name, base::Millis time) {
    return time.count() > 0 ? std::string(name) + config::spell_duration(time) : std::string();
  };
  return ": " + config::spell_duration(*facts.total) + part(", byoyomi ", *facts.byoyomi) +
         part(", increment ", *facts.increment);
}

/// What differs from the bot's own settings, as one rule would set it.
config::SettingRule difference(const config::BotConfig& standing, const config::BotConfig& chosen) {
  config::SettingRule rule;
  for (const std::string& path : config::settable_keys()) {
    const config::Key& key = *config::find_key(path);
    const auto before = config::plain_settings(key, standing);
    for (config::PlainSetting& setting : config::plain_settings(key, chosen)) {
      if (std::find(before.begin(), before.end(), setting) == before.end()) {
        rule.set.push_back(std::move(setting));
      }
    }
  }
  return rule;
}

}  // namespace

void explain_rules(const config::BotConfig& config, const GameQuestion& question,
                   std::ostream& out) {
  const config::GameFacts facts = facts_of(question);
  tell(out, "game", base::quote_for_log(question.game) + clock_text(facts));
  for (std::size_t i = 0; i < config.rules.size(); ++i) {
    const config::SettingRule& rule = config.rules[i];
    const auto obstacle = config::why_not(rule, facts);
    tell(out, "rule " + std::to_string(i + 1),
         "line " + std::to_string(rule.line) + ", " +
             (obstacle ? "does not apply: " + *obstacle
                       : "applies (" + config::describe_when(rule) + "): sets " +
                             config::describe_set(rule)));
  }
  const auto set = difference(config, config::choose_settings(config, facts).bot);
  tell(out, "result", config.rules.empty() ? "there are no rules"
                      : set.set.empty()    ? "the game is played as the rest of the file says"
                                           : "this game has " + config::describe_set(set));
}

}  // namespace kakehashi::bridge::cli
