// The headers of the sections declare their settings, too, where this is defined: here alone.
#define KAKEHASHI_DECLARES_SETTINGS

#include "config/schema/keys.hpp"

#include <algorithm>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/bot_config.hpp"
#include "config/schema/plain_settings.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

using base::Message;
using base::say;
using base::say_as;

const SettingTable& table() {
  static const SettingTable all = [] {
    SettingTable made;
    declare(SettingsOf<BotConfig>(made));
    return made;
  }();
  return all;
}

const SettingTable& member_table() {
  static const SettingTable all = [] {
    SettingTable made;
    declare_member(SettingsOf<BotConfig>(made).section("engine", &BotConfig::engine, {}).items(
        "team", &Engine::standby));
    return made;
  }();
  return all;
}

const SettingTable& recipient_table() {
  static const SettingTable all = [] {
    SettingTable made;
    declare_recipient(SettingsOf<BotConfig>(made).items("notify", &BotConfig::notify));
    return made;
  }();
  return all;
}

/// "at most 16 maps of url_file, command".
Message describe_items(const Key& key, std::size_t most) {
  Message names;
  for (const Key& inner : item_keys(key)) {
    names = names.empty() ? base::verbatim(inner.leaf()) : say("{}, {}", names, inner.leaf());
  }
  return say("at most {} maps of {}", most, names);
}

Message range(std::string min, std::string max) { return say("{} to {}", std::move(min), std::move(max)); }
Message range(std::int64_t min, std::int64_t max) { return say("{} to {}", min, max); }

}  // namespace

std::string Key::section() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Key::leaf() const { return path.substr(path.rfind('.') + 1); }

const std::vector<Key>& keys() { return table().keys; }

const std::vector<Key>& member_keys() { return member_table().keys; }

const std::vector<Key>& recipient_keys() { return recipient_table().keys; }

BotConfig place_for_recipient() {
  BotConfig bot;
  bot.notify.emplace_back();
  return bot;
}

const std::vector<Key>& item_keys(const Key& key) {
  static const std::vector<Key> none_of_its_own;
  if (std::holds_alternative<NotifyKey>(key.shape)) {
    return recipient_keys();
  }
  return std::holds_alternative<TeamKey>(key.shape) ? member_keys() : none_of_its_own;
}

const std::vector<Section>& sections() { return table().sections; }

const Key* find_key(std::string_view path) {
  const auto found =
      std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.path == path; });
  return found == keys().end() ? nullptr : &*found;
}

const LeftSetting* find_left(std::string_view path) {
  using base::say;
  static const std::vector<LeftSetting> left{
      {"server.keepalive_form", say("an empty line is sent, which every server takes")},
      {"engine.ready_max", say("an engine has half an hour in all, or engine.ready_timeout where that is longer")},
      {"engine.timed_ponderhit", say("ponderhit carries the clocks where they were not known before: with ponder: early")},
      {"records.opinions", say("what each engine of a team said stands in the record")},
  };
  const auto found = std::find_if(left.begin(), left.end(), [&](const LeftSetting& one) { return one.path == path; });
  return found == left.end() ? nullptr : &*found;
}

bool is_section(std::string_view path) {
  return std::any_of(sections().begin(), sections().end(),
                     [&](const Section& section) { return section.name == path; });
}

std::optional<std::string> default_of(const Key& key) {
  if (key.is_required || !key.when_absent.empty()) {
    return std::nullopt;
  }
  const std::vector<PlainSetting> held = plain_settings(key, place_for_recipient());
  const std::string value = held.empty() ? std::string() : spell_value(key, held.front());
  return value.empty() ? std::nullopt : std::optional(value);
}

Message describe_default(const Key& key) {
  if (key.is_required) {
    return say_as("setting", "required");
  }
  if (!key.when_absent.empty()) {
    return key.when_absent;
  }
  const auto value = default_of(key);
  return value ? base::verbatim(*value) : say_as("setting", "none");
}

Message describe_accepted(const Key& key) {
  return std::visit(
      base::Overload{
          [](const TextKey& text) { return text.accepted; },
          [](const WholeKey& whole) { return range(whole.min, whole.max); },
          [](const DurationKey& duration) {
            const Message span = range(spell_duration(duration.min), spell_duration(duration.max));
            return duration.may_be_auto ? say("auto, {}", span) : duration.step > Millis{1} ? say("{}, in whole seconds", span) : span;
          },
          [](const SizeKey& size) { return say("0, or {}", range(spell_size(size.min), spell_size(size.max))); },
          [&](const FlagKey&) {
            return is_section(key.path) ? say("true, false, or its settings") : base::verbatim("true, false");
          },
          [](const ChoiceKey& choice) { return base::listed(choice.words); },
          [](const ProxyKey&) { return say("socks5://[user:password@]host:port or http://…"); },
          [](const ChoicesKey& choices) { return say("one or more of {}", base::listed(choices.words)); },
          [](const TextsKey& texts) { return texts.accepted; },
          [](const CommandKey& command) { return say("1 to {} texts, the program first", command.texts_max); },
          [](const EnvironmentKey&) { return say("NAME: value, at most 256"); },
          [](const OptionsKey&) { return say("Name: value, at most 1000"); },
          [&](const NotifyKey&) { return describe_items(key, recipients_max); },
          [](const ResignKey&) {
            return say("engine, never, {score: {}, moves: {}}", range(1, 100'000), range(1, 100));
          },
          [](const RulesKey&) { return say("{when: {…}, set: {…}}, at most 100"); },
          [&](const TeamKey&) { return describe_items(key, team_members_max); },
      },
      key.shape);
}

Message describe_level(const Key& key) {
  switch (key.level) {
    case Level::basic: return say_as("setting", "basic");
    case Level::common: return say_as("setting", "common");
    case Level::expert: return say_as("setting", "expert");
  }
  return {};
}

}  // namespace kakehashi::config
