#include "config/schema/plain_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "config/schema/text.hpp"

namespace kakehashi::config {
namespace {

// Three members have no key: the password stands in no file, and the zones are the machine's.
constexpr const char* password_key = "account.password";
constexpr const char* zone_key = "records.utc_offset";
constexpr const char* offsets_key = "schedule.offsets";

using Values = std::vector<std::string>;

// --- settings within a setting, one text each: the key and its values, between them what no text of a file may hold

constexpr char between = '\x1F';

std::string packed(std::string text, const Values& values) {
  for (const std::string& value : values) {
    text += between + value;
  }
  return text;
}

PlainSetting unpacked(std::string_view text) {
  const auto parts = base::split(text, between);
  return {std::string(parts.front()), Values(parts.begin() + 1, parts.end())};
}

/// The line, each condition, a text that is empty, and each thing that is set.
Values plain_rule(const SettingRule& rule) {
  Values out{std::to_string(rule.line)};
  for (const Condition& condition : rule.when) {
    out.push_back(packed(path_of(condition.aspect), condition.texts));
  }
  out.emplace_back();
  for (const PlainSetting& setting : rule.set) {
    out.push_back(packed(setting.key, setting.values));
  }
  return out;
}

/// Nothing when it is no rule that this version knows.
std::optional<SettingRule> rule_of_plain(const Values& texts) {
  const auto set = std::ranges::find(texts, std::string());
  const auto line = texts.empty() ? std::nullopt : base::parse_int(texts.front());
  if (!line || set == texts.end()) {
    return std::nullopt;
  }
  SettingRule rule;
  rule.line = static_cast<int>(*line);
  for (auto condition = texts.begin() + 1; condition != set; ++condition) {
    const auto [path, values] = unpacked(*condition);
    const auto aspect = aspect_at(path);
    if (!aspect) {
      return std::nullopt;
    }
    rule.when.push_back({*aspect, values});
  }
  std::transform(set + 1, texts.end(), std::back_inserter(rule.set), unpacked);
  return rule;
}

// --- an item of a list (a member of the team, a recipient)

std::vector<PlainSetting> values_by(const std::vector<Key>& keys, BotConfig& bot);

Values plain_item(const std::vector<Key>& keys, BotConfig& alone) {
  Values out;
  for (const PlainSetting& setting : values_by(keys, alone)) {
    out.push_back(packed(setting.key, setting.values));
  }
  return out;
}

// --- all others

std::string number_of(Resign::By by) { return std::to_string(static_cast<int>(by)); }

void add_values(const Key& key, BotConfig& bot, std::vector<PlainSetting>& settings) {
  const auto add = [&](Values values) { settings.push_back({key.path, std::move(values)}); };
  std::visit(base::Overload{
                 [&](const TextKey& text) { add({text.at(bot)}); },
                 [&](const NumberKey& number) {
                   if (const auto value = number.get(bot); value || number.may_be_auto) {
                     add({value ? std::to_string(*value) : "auto"});
                   }
                 },
                 [&](const FlagKey& flag) {
                   if (const auto value = flag.get(bot)) {
                     add({*value ? "true" : "false"});
                   }
                 },
                 [&](const ChoiceKey& choice) { add({choice.words[choice.get(bot)]}); },
                 [&](const ProxyKey&) {
                   if (const auto& proxy = bot.server.proxy) {
                     add({std::to_string(static_cast<int>(proxy->kind) + 1), proxy->host,
                          std::to_string(proxy->port), proxy->user,
                          proxy->password.empty() ? "" : masked_secret});
                   }
                 },
                 [&](const ChoicesKey& choices) {
                   Values words;
                   for (const std::size_t index : choices.get(bot)) {
                     words.push_back(choices.words[index]);
                   }
                   add(std::move(words));
                 },
                 [&](const TextsKey& texts) {
                   if (!texts.at(bot).empty()) {
                     add(texts.at(bot));
                   }
                 },
                 [&](const CommandKey& command) {
                   if (!command.at(bot).empty()) {
                     add(command.at(bot));
                   }
                 },
                 [&](const EnvironmentKey& environment) {
                   for (const auto& variable : environment.at(bot)) {
                     add({variable.first, masked_secret});
                   }
                 },
                 [&](const OptionsKey& options) {
                   for (const auto& [name, value] : options.at(bot)) {
                     add(value ? Values{name, *value} : Values{name});
                   }
                 },
                 [&](const ResignKey&) {
                   const Resign& resign = bot.game.resign;
                   add({number_of(resign.by), std::to_string(resign.score),
                        std::to_string(resign.moves)});
                 },
                 [&](const RulesKey&) {
                   for (const SettingRule& rule : bot.rules) {
                     add(plain_rule(rule));
                   }
                 },
                 [&](const ItemsKey& items) {
                   for (BotConfig& alone : items.each(bot)) {
                     add(plain_item(items.keys, alone));
                   }
                 },
             },
             key.shape);
}

std::vector<PlainSetting> values_by(const std::vector<Key>& keys, BotConfig& bot) {
  std::vector<PlainSetting> settings;
  for (const Key& key : keys) {
    add_values(key, bot, settings);
  }
  return settings;
}

/// The number that is the only value, if it is one.
std::optional<std::int64_t> number_in(const Values& values) {
  return values.size() == 1 ? base::parse_int(values.front()) : std::nullopt;
}

std::string spell_resign(const Values& values) {
  if (values.size() == 3 && number_of(Resign::By::score) == values[0]) {
    return "{score: " + values[1] + ", moves: " + values[2] + "}";
  }
  return values.size() == 3 && number_of(Resign::By::never) == values[0] ? "never" : "engine";
}

bool apply_resign(const Values& values, Resign& resign) {
  std::vector<int> numbers;
  for (const std::string& value : values) {
    numbers.push_back(static_cast<int>(base::parse_int(value).value_or(-1)));
  }
  if (numbers.size() != 3 || numbers[0] < 0 || numbers[0] > static_cast<int>(Resign::By::score)) {
    return false;
  }
  resign = {static_cast<Resign::By>(numbers[0]), numbers[1], numbers[2]};
  return true;
}

bool apply_offset(const Values& values, std::vector<ZoneOffset>& offsets) {
  const auto since = base::parse_int(values.empty() ? "" : values.front());
  const auto ahead = base::parse_int(values.empty() ? "" : values.back());
  return values.size() == 2 && since && ahead &&
         (offsets.push_back({*since, std::chrono::seconds{*ahead}}), true);
}

/// The kinds are counted from 1.
bool apply_proxy(const Values& values, std::optional<csa::ProxySettings>& proxy) {
  if (values.size() != 5) {
    return false;
  }
  const auto kind = base::parse_int(values[0]).value_or(0);
  const auto port = base::parse_int(values[2]).value_or(0);
  if (kind < 1 || kind > static_cast<int>(csa::ProxySettings::Kind::http) + 1 || port < 1 || port > 65535) {
    return false;
  }
  proxy = csa::ProxySettings{static_cast<csa::ProxySettings::Kind>(kind - 1), values[1],
                             static_cast<std::uint16_t>(port), values[3], base::Secret(values[4])};
  return true;
}

bool apply_choices(const Values& values, const ChoicesKey& choices, BotConfig& bot) {
  std::vector<std::size_t> indices;
  for (const std::string& value : values) {
    const auto index = index_of(choices.words, value);
    if (!index) {
      return false;
    }
    indices.push_back(*index);
  }
  return !indices.empty() && (choices.set(bot, indices), true);
}

/// What plain_item() has written, into where the keys lead.
bool apply_item(const Values& texts, const std::vector<Key>& keys, BotConfig& alone);

bool apply_to_key(const Key& key, const Values& values, BotConfig& bot) {
  const bool is_single = values.size() == 1;
  const auto number = number_in(values);
  return std::visit(
      base::Overload{
          [&](const TextKey& text) {
            return is_single && (text.at(bot) = values.front(), true);
          },
          [&](const NumberKey& shape) {
            const bool is_auto = shape.may_be_auto && is_single && values.front() == "auto";
            return (number.value_or(-1) >= 0 || is_auto) && (shape.set(bot, number), true);
          },
          [&](const FlagKey& flag) {
            return is_single && (flag.set(bot, values.front() == "true"), true);
          },
          [&](const ChoiceKey& choice) {
            const auto index = is_single ? index_of(choice.words, values.front()) : std::nullopt;
            return index && (choice.set(bot, *index), true);
          },
          [&](const ProxyKey&) { return apply_proxy(values, bot.server.proxy); },
          [&](const ChoicesKey& choices) { return apply_choices(values, choices, bot); },
          [&](const TextsKey& texts) { return (texts.at(bot) = values, true); },
          [&](const CommandKey& command) { return (command.at(bot) = values, true); },
          [&](const EnvironmentKey& environment) {
            return values.size() == 2 &&
                   (environment.at(bot).emplace_back(values[0], values[1]), true);
          },
          [&](const OptionsKey& options) {
            if (values.empty() || values.size() > 2) {
              return false;
            }
            options.at(bot).emplace_back(
                values[0], values.size() == 2 ? std::optional(values[1]) : std::nullopt);
            return true;
          },
          [&](const ResignKey&) { return apply_resign(values, bot.game.resign); },
          [&](const RulesKey&) {
            const auto rule = rule_of_plain(values);
            return rule && (bot.rules.push_back(*rule), true);
          },
          [&](const ItemsKey& items) {
            BotConfig alone = with_an_item_each();
            return apply_item(values, items.keys, alone) && (items.add(bot, alone), true);
          },
      },
      key.shape);
}

bool apply_item(const Values& texts, const std::vector<Key>& keys, BotConfig& alone) {
  return !texts.empty() && std::ranges::all_of(texts, [&](const std::string& text) {
    const PlainSetting setting = unpacked(text);
    const Key* key = find_key(keys, setting.key);
    return key != nullptr && apply_to_key(*key, setting.values, alone);
  });
}

}  // namespace

std::string spell_text(std::string_view text) {
  constexpr std::string_view letters_and_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const bool is_plain =
      !text.empty() && (std::string(letters_and_digits) + "/").find(text.front()) != std::string::npos &&
      text.find_first_not_of(std::string(letters_and_digits) + "_./@+-") == std::string_view::npos;
  if (is_plain) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02X}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string spell_list(const Values& texts) {
  Values spelled;
  std::transform(texts.begin(), texts.end(), std::back_inserter(spelled), spell_text);
  return "[" + base::join(spelled, ", ") + "]";
}

std::string spell_value(const Key& key, const PlainSetting& setting) {
  const Values& values = setting.values;
  const std::string first = values.empty() ? std::string() : values.front();
  const auto number = number_in(values);
  return std::visit(
      base::Overload{
          [&](const TextKey&) { return first.empty() ? first : spell_text(first); },
          [&](const FlagKey&) { return first; },
          [&](const ChoiceKey&) { return first; },
          [&](const NumberKey& shape) { return number ? spell_number(shape.unit, *number) : first; },
          [&](const ChoicesKey&) { return spell_list(values); },
          [&](const TextsKey&) { return spell_list(values); },
          [&](const CommandKey&) { return spell_list(values); },
          [&](const ResignKey&) { return spell_resign(values); },
          [](const auto&) { return std::string(); },  // of several values
      },
      key.shape);
}

std::vector<PlainSetting> plain_settings(const BotConfig& bot) {
  BotConfig copy = bot;
  copy.account.password = base::Secret();
  std::vector<PlainSetting> settings = values_by(keys(), copy);
  if (!bot.account.password.empty()) {
    settings.push_back({password_key, {masked_secret}});
  }
  settings.push_back({zone_key, {std::to_string(bot.records.utc_offset.count())}});
  if (!bot.schedule.windows.empty()) {
    for (const ZoneOffset& offset : bot.schedule.offsets) {
      settings.push_back(
          {offsets_key, {std::to_string(offset.since_s), std::to_string(offset.ahead.count())}});
    }
  }
  return settings;
}

void take_secrets(BotConfig& bot, const BotConfig& from) {
  bot.account.password = from.account.password;
  if (bot.server.proxy && from.server.proxy) {
    bot.server.proxy->password = from.server.proxy->password;
  }
  bot.engine.environment = from.engine.environment;
  bot.engine.standby.environment = from.engine.standby.environment;
  for (std::size_t i = 0; i < std::min(bot.engine.team.size(), from.engine.team.size()); ++i) {
    bot.engine.team[i].environment = from.engine.team[i].environment;
  }
}

std::vector<PlainSetting> plain_settings(const Key& key, const BotConfig& bot) {
  std::vector<PlainSetting> settings;
  BotConfig copy = bot;
  add_values(key, copy, settings);
  return settings;
}

bool apply(const PlainSetting& setting, BotConfig& bot) {
  if (setting.key == password_key) {
    bot.account.password = base::Secret(masked_secret);
    return true;
  }
  if (setting.key == zone_key) {
    const auto minutes = number_in(setting.values);
    return minutes && (bot.records.utc_offset = std::chrono::minutes(*minutes), true);
  }
  if (setting.key == offsets_key) {
    return apply_offset(setting.values, bot.schedule.offsets);
  }
  const Key* key = find_key(setting.key);
  return find_left(setting.key) != nullptr || (key != nullptr && apply_to_key(*key, setting.values, bot));
}

}  // namespace kakehashi::config
