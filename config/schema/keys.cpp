// The headers of the sections declare their settings, too, where this is defined: here alone.
#define KAKEHASHI_DECLARES_SETTINGS

#include "config/schema/keys.hpp"

#include <algorithm>
#include <iterator>

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

}  // namespace

std::string Key::section() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Key::leaf() const { return path.substr(path.rfind('.') + 1); }

const std::vector<Key>& keys() { return table().keys; }

const std::vector<Key>& item_keys(const Key& key) {
  static const std::vector<Key> none_of_its_own;
  const auto* items = std::get_if<ItemsKey>(&key.shape);
  return items == nullptr ? none_of_its_own : items->keys;
}

BotConfig with_an_item_each() {
  BotConfig bot;
  bot.engine.team.emplace_back();
  bot.notify.emplace_back();
  return bot;
}

std::optional<std::size_t> index_of(const std::vector<std::string>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word);
  return found == words.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - words.begin()));
}

const std::vector<Section>& sections() { return table().sections; }

const Key* find_key(std::string_view path) { return find_key(keys(), path); }

const Key* find_key(const std::vector<Key>& keys, std::string_view path) {
  const auto found = std::ranges::find(keys, path, &Key::path);
  return found == keys.end() ? nullptr : &*found;
}

const LeftSetting* find_left(std::string_view path) {
  static const std::vector<LeftSetting> left{
      {"server.keepalive_form", say("an empty line is sent, which every server takes")},
      {"engine.ready_max", say("an engine has half an hour in all, or engine.ready_timeout where that is longer")},
      {"engine.timed_ponderhit", say("ponderhit carries the clocks where they were not known before: with ponder: early")},
      {"records.opinions", say("what each engine of a team said stands in the record")},
  };
  const auto found = std::ranges::find(left, path, &LeftSetting::path);
  return found == left.end() ? nullptr : &*found;
}

std::optional<Aspect> aspect_at(std::string_view path) {
  const auto* found = std::ranges::find(aspect_texts(), path, &AspectText::path);
  return found == aspect_texts().end() ? std::nullopt : std::optional(found->aspect);
}

bool is_section(std::string_view path) {
  return std::any_of(sections().begin(), sections().end(),
                     [&](const Section& section) { return section.name == path; });
}

std::optional<std::string> default_of(const Key& key) {
  if (key.is_required || !key.when_absent.empty()) {
    return std::nullopt;
  }
  const std::vector<PlainSetting> held = plain_settings(key, with_an_item_each());
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
          [](const NumberKey& number) {
            const Message span = say("{} to {}", spell_number(number.unit, number.min), spell_number(number.unit, number.max));
            return number.may_be_auto                      ? say("auto, {}", span)
                   : number.unit == NumberKey::Unit::bytes ? say("0, or {}", span)
                   : number.step > 1                       ? say("{}, in whole seconds", span)
                                                           : span;
          },
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
          [](const ResignKey& resign) {
            return say("engine, never, {score: {}, moves: {}}", describe_accepted(resign.threshold.front()),
                       describe_accepted(resign.threshold.back()));
          },
          [](const RulesKey&) { return say("{when: {…}, set: {…}}, at most 100"); },
          [](const ItemsKey& items) {
            std::vector<std::string> names;
            std::ranges::transform(items.keys, std::back_inserter(names), &Key::leaf);
            return say("at most {} maps of {}", items.most, base::listed(names));
          },
      },
      key.shape);
}

base::Result<std::int64_t> read_number(NumberKey::Unit unit, std::string_view text) {
  const auto counted = [](const auto& read) -> base::Result<std::int64_t> {
    return read ? base::Result<std::int64_t>(base::Millis(*read).count()) : base::fail(read.error().what);
  };
  switch (unit) {
    case NumberKey::Unit::none: break;
    case NumberKey::Unit::millis: return counted(read_duration(text));
    case NumberKey::Unit::bytes: return counted(read_size(text));
  }
  const auto number = base::parse_int(text);
  return number ? base::Result<std::int64_t>(*number) : base::fail(say("is no whole number"));
}

std::string spell_number(NumberKey::Unit unit, std::int64_t number) {
  switch (unit) {
    case NumberKey::Unit::none: return std::to_string(number);
    case NumberKey::Unit::millis: return spell_duration(Millis{number});
    case NumberKey::Unit::bytes: return spell_size(static_cast<std::uint64_t>(number));
  }
  return {};
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
