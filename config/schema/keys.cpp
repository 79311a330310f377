// The headers of the sections declare their settings, too, where this is defined: here alone.
#define KAKEHASHI_DECLARES_SETTINGS

#include "config/schema/keys.hpp"

#include <algorithm>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/bot_config.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

/// In double quotes where YAML would take the plain text for something else.
std::string spell_text(const std::string& text, const std::string& nothing) {
  if (text.empty()) {
    return nothing;
  }
  const bool is_plain = std::string_view("{}[]&*!|>'\"%@`#-?:,").find(text.front()) ==
                            std::string_view::npos &&
                        text.find(": ") == std::string::npos && text.find(" #") == std::string::npos;
  return is_plain ? text : "\"" + text + "\"";
}

std::string spell_flag(bool flag) { return flag ? "true" : "false"; }

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
std::string describe_items(const Key& key, std::size_t most, Language language) {
  std::vector<std::string> names;
  for (const Key& inner : item_keys(key)) {
    names.push_back(inner.leaf());
  }
  return language == Language::english ? "at most " + std::to_string(most) + " maps of " + base::join(names, ", ")
                                       : base::join(names, "、") + " の map。" + std::to_string(most) + " まで";
}

constexpr Text none{"none", "なし"};

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

bool is_section(std::string_view path) {
  return std::any_of(sections().begin(), sections().end(),
                     [&](const Section& section) { return section.name == path; });
}

std::string describe_type(const Key& key, Language language) {
  const Text type = std::visit(
      base::Overload{
          [](const TextKey&) { return Text{"text", "文字列"}; },
          [](const WholeKey&) { return Text{"whole number", "整数"}; },
          [](const DurationKey&) { return Text{"duration", "時間"}; },
          [](const AutoDurationKey&) { return Text{"duration, or auto", "時間か auto"}; },
          [](const SizeKey&) { return Text{"size", "サイズ"}; },
          [&](const FlagKey&) {
            return is_section(key.path) ? Text{"true or false, or a map", "真偽か map"} : Text{"true or false", "真偽"};
          },
          [](const ChoiceKey&) { return Text{"word", "語"}; },
          [](const ProxyKey&) { return Text{"text", "文字列"}; },
          [](const ChoicesKey&) { return Text{"list of words, or one word", "語の list か 1 語"}; },
          [](const TextsKey&) { return Text{"list of texts, or one text", "文字列の list か 1 つ"}; },
          [](const CommandKey&) { return Text{"list of texts, or one text", "文字列の list か 1 つ"}; },
          [](const EnvironmentKey&) { return Text{"map of texts", "文字列の map"}; },
          [](const OptionsKey&) { return Text{"map, or list of one-key maps", "map か、1 項目の map の list"}; },
          [](const ResignKey&) { return Text{"word, or map", "語か map"}; },
          [](const NotifyKey&) { return Text{"list of maps", "map の list"}; },
          [](const RulesKey&) { return Text{"list of maps", "map の list"}; },
          [](const TeamKey&) { return Text{"list of maps", "map の list"}; },
      },
      key.shape);
  return type.in(language);
}

std::string describe_default(const Key& key, Language language) {
  if (key.is_required) {
    return Text{"required", "必須"}.in(language);
  }
  if (!key.when_absent.empty()) {
    return key.when_absent.in(language);
  }
  const BotConfig defaults = place_for_recipient();
  const std::string nothing = none.in(language);
  return std::visit(
      base::Overload{
          [&](const TextKey& text) { return spell_text(text.at(defaults), nothing); },
          [&](const WholeKey& whole) {
            const auto value = whole.get(defaults);
            return value ? std::to_string(*value) : nothing;
          },
          [&](const DurationKey& duration) { return spell_duration(duration.get(defaults)); },
          [&](const AutoDurationKey& duration) {
            const auto value = duration.get(defaults);
            return value ? spell_duration(*value) : std::string("auto");
          },
          [&](const SizeKey& size) { return spell_size(size.at(defaults)); },
          [&](const FlagKey& flag) {
            const auto value = flag.get(defaults);
            return value ? spell_flag(*value) : nothing;
          },
          [&](const ChoiceKey& choice) { return choice.words[choice.get(defaults)]; },
          [&](const ProxyKey&) { return nothing; },
          [&](const ChoicesKey& choices) {
            std::vector<std::string> chosen;
            for (const std::size_t index : choices.get(defaults)) {
              chosen.push_back(choices.words[index]);
            }
            return "[" + base::join(chosen, ", ") + "]";
          },
          [&](const TextsKey& texts) {
            const auto& values = texts.at(defaults);
            return values.empty() ? nothing : "[" + base::join(values, ", ") + "]";
          },
          [&](const CommandKey&) { return nothing; },
          [&](const EnvironmentKey&) { return nothing; },
          [&](const OptionsKey&) { return nothing; },
          [](const ResignKey&) { return std::string("engine"); },
          [&](const NotifyKey&) { return nothing; },
          [&](const RulesKey&) { return nothing; },
          [&](const TeamKey&) { return nothing; },
      },
      key.shape);
}

bool has_default(const Key& key) {
  return !key.is_required && key.when_absent.empty() && describe_default(key) != none.english;
}

std::string describe_accepted(const Key& key, Language language) {
  const auto said = [&](const char* english, const char* japanese) { return std::string(Text{english, japanese}.in(language)); };
  const auto range = [&](const std::string& min, const std::string& max) { return min + said(" to ", "〜") + max; };
  return std::visit(
      base::Overload{
          [&](const TextKey& text) { return std::string(text.accepted.in(language)); },
          [&](const WholeKey& whole) { return range(std::to_string(whole.min), std::to_string(whole.max)); },
          [&](const DurationKey& duration) {
            return range(spell_duration(duration.min), spell_duration(duration.max)) +
                   (duration.step > Millis{1} ? said(", in whole seconds", "(秒単位)") : "");
          },
          [&](const AutoDurationKey& duration) {
            return "auto, " + range(spell_duration(duration.min), spell_duration(duration.max));
          },
          [&](const SizeKey& size) {
            return said("0, or ", "0、または ") + range(spell_size(size.min), spell_size(size.max));
          },
          [&](const FlagKey&) {
            return is_section(key.path) ? said("true, false, or its settings", "true、false、またはその設定")
                                        : std::string("true, false");
          },
          [](const ChoiceKey& choice) { return base::join(choice.words, ", "); },
          [&](const ProxyKey&) {
            return said("socks5://[user:password@]host:port or http://…", "socks5://[user:password@]host:port または http://…");
          },
          [&](const ChoicesKey& choices) {
            return said("one or more of ", "次のうち 1 つ以上: ") + base::join(choices.words, ", ");
          },
          [&](const TextsKey& texts) { return std::string(texts.accepted.in(language)); },
          [&](const CommandKey& command) {
            const std::string most = std::to_string(command.texts_max);
            return range("1", most) + said(" texts, the program first", " 個。先頭がプログラム");
          },
          [&](const EnvironmentKey&) {
            return said("NAME: value, at most 256", "NAME: 値、256 まで");
          },
          [&](const OptionsKey&) {
            return said("Name: value, at most 1000", "Name: 値、1000 まで");
          },
          [&](const NotifyKey&) { return describe_items(key, recipients_max, language); },
          [&](const ResignKey&) {
            return "engine, never, {score: " + range("1", "100000") + ", moves: " + range("1", "100") + "}";
          },
          [&](const RulesKey&) { return said("{when: {…}, set: {…}}, at most 100", "{when: {…}, set: {…}}、100 まで"); },
          [&](const TeamKey&) { return describe_items(key, team_members_max, language); },
      },
      key.shape);
}

const char* describe_level(const Key& key, Language language) {
  switch (key.level) {
    case Level::basic: return Text{"basic", "基本"}.in(language);
    case Level::common: return Text{"common", "一般"}.in(language);
    case Level::expert: return Text{"expert", "上級"}.in(language);
  }
  return "";
}

}  // namespace kakehashi::config
