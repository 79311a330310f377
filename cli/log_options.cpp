#include "cli/log_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <variant>

#include "cli/language.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::cli {
namespace {

using base::say;

/// An option that takes the words of a setting of the log.
template <class Enum>
CLI::Option* add_word_option(CLI::App& command, const std::string& name, const char* path, Enum config::Log::*member,
                             std::optional<Enum>& chosen, const std::string& help) {
  const auto& setting = std::get<config::ChoiceKey>(config::find_key(path)->shape);
  return command
      .add_option_function<std::string>(
          name,
          [&setting, member, &chosen](const std::string& word) {
            const auto found = std::find(setting.words.begin(), setting.words.end(), word);
            config::BotConfig place;
            setting.set(place, static_cast<std::size_t>(found - setting.words.begin()));
            chosen = place.log.*member;
          },
          help)
      ->check(CLI::IsMember(setting.words));
}

}  // namespace

void LogOptions::apply_to(config::Log& log) const {
  log.level = level.value_or(log.level);
  log.format = format.value_or(log.format);
  log.language = language.value_or(log.language);
}

void add_log_options(CLI::App& command, LogOptions& options) {
  add_word_option(command, "--log-level", "log.level", &config::Log::level, options.level,
                  say("The least important lines to log; debug shows both protocols").english())
      ->type_name("LEVEL");
  add_word_option(command, "--log-format", "log.format", &config::Log::format, options.format,
                  say("Lines for people, or one JSON object a line").english())
      ->type_name("FORMAT");
  add_log_language_option(command, options);
}

void add_log_language_option(CLI::App& command, LogOptions& options) {
  add_language_option(command, [&options](const std::string& word) {
    options.language = word == "ja" ? config::LogLanguage::japanese : config::LogLanguage::english;
  });
}

}  // namespace kakehashi::cli
