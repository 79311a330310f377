#include "cli/log_options.hpp"

#include <CLI/CLI.hpp>
#include <utility>
#include <variant>

#include "cli/language.hpp"
#include "cli/option.hpp"
#include "config/schema/keys.hpp"
#include "config/schema/plain_settings.hpp"

namespace kakehashi::cli {

using base::say;

void LogOptions::apply_to(config::BotConfig& bot) const {
  for (const auto& [setting, word] : {std::pair("log.level", level), std::pair("log.format", format), std::pair("log.language", language)}) {
    if (!word.empty()) {
      static_cast<void>(config::apply({setting, {word}}, bot));
    }
  }
}

void add_log_options(CLI::App& command, LogOptions& options) {
  const auto is_word_of = [](const char* setting) {
    return CLI::IsMember(std::get<config::ChoiceKey>(config::find_key(setting)->shape).words);
  };
  option(command, "--log-level", options.level, say("The least important lines to log; debug shows both protocols"), "LEVEL")
      ->check(is_word_of("log.level"));
  option(command, "--log-format", options.format, say("Lines for people, or one JSON object a line"), "FORMAT")
      ->check(is_word_of("log.format"));
  add_log_language_option(command, options);
}

void add_log_language_option(CLI::App& command, LogOptions& options) {
  add_language_option(command, [&options](const std::string& word) { options.language = word; });
}

}  // namespace kakehashi::cli
