#include "bridge/cli/log_options.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "bridge/cli/language.hpp"

namespace kakehashi::bridge::cli {

void LogOptions::apply_to(config::Log& log) const {
  log.level = level.value_or(log.level);
  log.format = format.value_or(log.format);
  log.language = language.value_or(log.language);
}

void add_log_options(CLI::App& command, LogOptions& options) {
  command
      .add_option_function<std::string>(
          "--log-level",
          [&options](const std::string& word) {
            const std::map<std::string, config::LogLevel> levels = {
                {"debug", config::LogLevel::debug},
                {"info", config::LogLevel::info},
                {"warn", config::LogLevel::warn},
                {"error", config::LogLevel::error}};
            options.level = levels.at(word);
          },
          "The least important lines to log; debug shows both protocols")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->type_name("LEVEL");
  command
      .add_option_function<std::string>(
          "--log-format",
          [&options](const std::string& word) {
            options.format = word == "json" ? config::LogFormat::json : config::LogFormat::text;
          },
          "Lines for people, or one JSON object a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  add_log_language_option(command, options);
}

void add_log_language_option(CLI::App& command, LogOptions& options) {
  add_language_option(command, [&options](const std::string& word) {
    options.language = word == "ja" ? config::LogLanguage::japanese : config::LogLanguage::english;
  });
}

}  // namespace kakehashi::bridge::cli
