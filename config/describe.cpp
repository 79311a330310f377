#include "config/describe.hpp"

#include <algorithm>

#include "base/overload.hpp"
#include "config/read_value.hpp"

namespace kakehashi::config {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

/// In double quotes where YAML would take the plain text for something else.
std::string spell_text(const std::string& text) {
  if (text.empty()) {
    return "none";
  }
  const bool is_plain = std::string_view("{}[]&*!|>'\"%@`#-?:,").find(text.front()) ==
                            std::string_view::npos &&
                        text.find(": ") == std::string::npos && text.find(" #") == std::string::npos;
  return is_plain ? text : "\"" + text + "\"";
}

std::string spell_flag(bool flag) { return flag ? "true" : "false"; }

}  // namespace

std::string Key::section() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Key::leaf() const { return path.substr(path.rfind('.') + 1); }

const Key* find_key(std::string_view path) {
  const auto found =
      std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.path == path; });
  return found == keys().end() ? nullptr : &*found;
}

bool is_section(std::string_view path) {
  return std::any_of(sections().begin(), sections().end(),
                     [&](const Section& section) { return section.name == path; });
}

std::string describe_type(const Key& key) {
  return std::visit(
      base::Overload{
          [](const TextKey&) { return "text"; },
          [](const WholeKey&) { return "whole number"; },
          [](const DurationKey&) { return "duration"; },
          [](const AutoDurationKey&) { return "duration, or auto"; },
          [](const SizeKey&) { return "size"; },
          [&](const FlagKey&) {
            return is_section(key.path) ? "true or false, or a map" : "true or false";
          },
          [](const ChoiceKey&) { return "word"; },
          [](const ProxyKey&) { return "text"; },
          [](const ChoicesKey&) { return "list of words, or one word"; },
          [](const TextsKey&) { return "list of texts, or one text"; },
          [](const CommandKey&) { return "list of texts, or one text"; },
          [](const EnvironmentKey&) { return "map of texts"; },
          [](const OptionsKey&) { return "map, or list of one-key maps"; },
          [](const ResignKey&) { return "word, or map"; },
          [](const NotifyKey&) { return "list of maps"; },
          [](const RulesKey&) { return "list of maps"; },
      },
      key.shape);
}

std::string describe_default(const Key& key) {
  if (key.is_required) {
    return "required";
  }
  if (!key.when_absent.empty()) {
    return key.when_absent;
  }
  BotConfig defaults;
  return std::visit(
      base::Overload{
          [&](const TextKey& text) { return spell_text(text.at(defaults)); },
          [&](const WholeKey& whole) {
            const auto value = whole.get(defaults);
            return value ? std::to_string(*value) : std::string("none");
          },
          [&](const DurationKey& duration) { return spell_duration(duration.get(defaults)); },
          [&](const AutoDurationKey& duration) {
            const auto value = duration.get(defaults);
            return value ? spell_duration(*value) : std::string("auto");
          },
          [&](const SizeKey& size) { return spell_size(size.at(defaults)); },
          [&](const FlagKey& flag) {
            const auto value = flag.get(defaults);
            return value ? spell_flag(*value) : std::string("none");
          },
          [&](const ChoiceKey& choice) { return choice.words[choice.get(defaults)]; },
          [](const ProxyKey&) { return std::string("none"); },
          [&](const ChoicesKey& choices) {
            std::vector<std::string> chosen;
            for (const std::size_t index : choices.get(defaults)) {
              chosen.push_back(choices.words[index]);
            }
            return "[" + joined(chosen) + "]";
          },
          [&](const TextsKey& texts) {
            const auto& values = texts.at(defaults);
            return values.empty() ? std::string("none") : "[" + joined(values) + "]";
          },
          [](const CommandKey&) { return std::string("none"); },
          [](const EnvironmentKey&) { return std::string("none"); },
          [](const OptionsKey&) { return std::string("none"); },
          [](const ResignKey&) { return std::string("engine"); },
          [](const NotifyKey&) { return std::string("none"); },
          [](const RulesKey&) { return std::string("none"); },
      },
      key.shape);
}

std::string describe_accepted(const Key& key) {
  return std::visit(
      base::Overload{
          [](const TextKey& text) { return std::string(text.accepted); },
          [](const WholeKey& whole) {
            return std::to_string(whole.min) + " to " + std::to_string(whole.max);
          },
          [](const DurationKey& duration) {
            return spell_duration(duration.min) + " to " + spell_duration(duration.max) +
                   (duration.step > Millis{1} ? ", in whole seconds" : "");
          },
          [](const AutoDurationKey& duration) {
            return "auto, " + spell_duration(duration.min) + " to " + spell_duration(duration.max);
          },
          [](const SizeKey& size) {
            return "0, or " + spell_size(size.min) + " to " + spell_size(size.max);
          },
          [&](const FlagKey&) {
            return std::string(is_section(key.path) ? "true, false, or its settings"
                                                    : "true, false");
          },
          [](const ChoiceKey& choice) { return joined(choice.words); },
          [](const ProxyKey&) {
            return std::string("socks5://[user:password@]host:port or http://…");
          },
          [](const ChoicesKey& choices) { return "one or more of " + joined(choices.words); },
          [](const TextsKey& texts) { return std::string(texts.accepted); },
          [](const CommandKey&) { return std::string("at least the program; 1 to 256 texts"); },
          [](const EnvironmentKey&) { return std::string("NAME: value, at most 256"); },
          [](const OptionsKey&) { return std::string("Name: value, at most 1000"); },
          [](const NotifyKey&) {
            return std::string("maps of url_file, template (discord, slack, json, text), events (paired, "
                               "started, result, rescue, no_game, disconnected), or of command and events");
          },
          [](const ResignKey&) {
            return std::string("engine, never, {score: 1 to 100000, moves: 1 to 100}");
          },
          [](const RulesKey&) {
            return std::string("{when: {…}, set: {…}}, at most 100");
          },
      },
      key.shape);
}

}  // namespace kakehashi::config
