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

// --- a rule as one list of texts

void add_group(const std::string& name, const Values& values, Values& out) {
  out.push_back(name);
  out.push_back(std::to_string(values.size()));
  out.insert(out.end(), values.begin(), values.end());
}

/// Of what add_group() has written.
class GroupReader {
 public:
  explicit GroupReader(const Values& texts) : texts_(texts) {}

  std::optional<std::string> text() {
    return at_ < texts_.size() ? std::optional(texts_[at_++]) : std::nullopt;
  }

  /// Not negative, and not more than there are texts.
  std::optional<std::size_t> count() {
    const auto word = text();
    const auto number = word ? base::parse_int(*word) : std::nullopt;
    if (!number || *number < 0 || static_cast<std::size_t>(*number) > texts_.size()) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(*number);
  }

  std::optional<PlainSetting> group() {
    auto name = text();
    const auto size = count();
    if (!name || !size || texts_.size() - at_ < *size) {
      return std::nullopt;
    }
    const auto first = texts_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += *size;
    return PlainSetting{std::move(*name), Values(first, first + static_cast<std::ptrdiff_t>(*size))};
  }

  std::optional<std::vector<PlainSetting>> groups() {
    const auto size = count();
    if (!size) {
      return std::nullopt;
    }
    std::vector<PlainSetting> all;
    for (std::size_t i = 0; i < *size; ++i) {
      auto one = group();
      if (!one) {
        return std::nullopt;
      }
      all.push_back(std::move(*one));
    }
    return all;
  }

  [[nodiscard]] bool is_at_end() const { return at_ == texts_.size(); }

 private:
  const Values& texts_;
  std::size_t at_ = 0;
};

std::optional<Aspect> aspect_of(const std::string& path) {
  const auto& all = aspect_texts();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const AspectText& text) { return path == text.path; });
  return found == all.end() ? std::nullopt : std::optional(found->aspect);
}

/// The line; the number of conditions and each one's aspect, number of texts and texts; the same of
/// what is set.
Values plain_rule(const SettingRule& rule) {
  Values out{std::to_string(rule.line), std::to_string(rule.when.size())};
  for (const Condition& condition : rule.when) {
    add_group(path_of(condition.aspect), condition.texts, out);
  }
  out.push_back(std::to_string(rule.set.size()));
  for (const PlainSetting& setting : rule.set) {
    add_group(setting.key, setting.values, out);
  }
  return out;
}

// --- an item of a list (a member of the team, a recipient) as one list of texts

std::vector<PlainSetting> values_by(const std::vector<Key>& keys, BotConfig& bot);

/// The number of its settings, and each one's key, number of texts and texts. `place` holds it where the keys lead.
Values plain_item(const std::vector<Key>& keys, BotConfig place) {
  const std::vector<PlainSetting> settings = values_by(keys, place);
  Values out{std::to_string(settings.size())};
  for (const PlainSetting& setting : settings) {
    add_group(setting.key, setting.values, out);
  }
  return out;
}

// --- all others

void add_values(const Key& key, BotConfig& bot, std::vector<PlainSetting>& settings) {
  const auto add = [&](Values values) { settings.push_back({key.path, std::move(values)}); };
  std::visit(base::Overload{
                 [&](const TextKey& text) { add({text.at(bot)}); },
                 [&](const WholeKey& whole) {
                   if (const auto value = whole.get(bot)) {
                     add({std::to_string(*value)});
                   }
                 },
                 [&](const DurationKey& duration) {
                   const auto value = duration.get(bot);
                   add({value ? std::to_string(value->count()) : "auto"});
                 },
                 [&](const SizeKey& size) { add({std::to_string(size.at(bot))}); },
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
                 [&](const NotifyKey&) {
                   BotConfig place = place_for_recipient();
                   for (const Notify& recipient : bot.notify) {
                     place.notify.front() = recipient;
                     add(plain_item(recipient_keys(), place));
                   }
                 },
                 [&](const ResignKey&) {
                   const Resign& resign = bot.game.resign;
                   add({std::to_string(static_cast<int>(resign.by)), std::to_string(resign.score),
                        std::to_string(resign.moves)});
                 },
                 [&](const RulesKey&) {
                   for (const SettingRule& rule : bot.rules) {
                     add(plain_rule(rule));
                   }
                 },
                 [&](const TeamKey&) {
                   BotConfig place;
                   for (const FurtherEngine& member : bot.engine.team) {
                     place.engine.standby = member;
                     add(plain_item(member_keys(), place));
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

const Key* find_in(const std::vector<Key>& keys, std::string_view path) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.path == path; });
  return found == keys.end() ? nullptr : &*found;
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
    const auto found = std::find(choices.words.begin(), choices.words.end(), value);
    if (found == choices.words.end()) {
      return false;
    }
    indices.push_back(static_cast<std::size_t>(found - choices.words.begin()));
  }
  return !indices.empty() && (choices.set(bot, indices), true);
}

std::optional<Notify> recipient_of_plain(const Values& values);

bool apply_to_key(const Key& key, const Values& values, BotConfig& bot) {
  const bool is_single = values.size() == 1;
  const auto number = number_in(values);
  return std::visit(
      base::Overload{
          [&](const TextKey& text) {
            return is_single && (text.at(bot) = values.front(), true);
          },
          [&](const WholeKey& whole) { return number && (whole.set(bot, *number), true); },
          [&](const DurationKey& duration) {
            const bool is_auto = duration.may_be_auto && is_single && values.front() == "auto";
            return (number || is_auto) &&
                   (duration.set(bot, number ? std::optional(Millis{*number}) : std::nullopt), true);
          },
          [&](const SizeKey& size) {
            return number && *number >= 0 &&
                   (size.at(bot) = static_cast<std::uint64_t>(*number), true);
          },
          [&](const FlagKey& flag) {
            return is_single && (flag.set(bot, values.front() == "true"), true);
          },
          [&](const ChoiceKey& choice) {
            const auto found = std::find(choice.words.begin(), choice.words.end(),
                                         is_single ? values.front() : std::string());
            return found != choice.words.end() &&
                   (choice.set(bot, static_cast<std::size_t>(found - choice.words.begin())), true);
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
          [&](const NotifyKey&) {
            const auto recipient = recipient_of_plain(values);
            return recipient && (bot.notify.push_back(*recipient), true);
          },
          [&](const ResignKey&) { return apply_resign(values, bot.game.resign); },
          [&](const RulesKey&) {
            const auto rule = rule_of_plain(values);
            return rule && (bot.rules.push_back(*rule), true);
          },
          [&](const TeamKey&) {
            const auto member = member_of_plain(values);
            return member && (bot.engine.team.push_back(*member), true);
          },
      },
      key.shape);
}

/// What plain_item() has written, into where the keys lead.
bool apply_item(const Values& texts, const std::vector<Key>& keys, BotConfig& place) {
  GroupReader reader(texts);
  const auto settings = reader.groups();
  return settings && reader.is_at_end() &&
         std::all_of(settings->begin(), settings->end(), [&](const PlainSetting& setting) {
           const Key* key = find_in(keys, setting.key);
           return key != nullptr && apply_to_key(*key, setting.values, place);
         });
}

std::optional<Notify> recipient_of_plain(const Values& values) {
  BotConfig place = place_for_recipient();
  return apply_item(values, recipient_keys(), place) ? std::optional(std::move(place.notify.front())) : std::nullopt;
}

std::string spell_resign(const PlainSetting& setting) {
  BotConfig bot;
  static_cast<void>(apply(setting, bot));
  const Resign& resign = bot.game.resign;
  switch (resign.by) {
    case Resign::By::engine: return "engine";
    case Resign::By::never: return "never";
    case Resign::By::score:
      return "{score: " + std::to_string(resign.score) + ", moves: " + std::to_string(resign.moves) + "}";
  }
  return "engine";
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
          [&](const WholeKey&) { return first; },
          [&](const FlagKey&) { return first; },
          [&](const ChoiceKey&) { return first; },
          [&](const DurationKey&) { return number ? spell_duration(Millis{*number}) : first; },
          [&](const SizeKey&) { return number ? spell_size(static_cast<std::uint64_t>(*number)) : first; },
          [&](const ChoicesKey&) { return spell_list(values); },
          [&](const TextsKey&) { return spell_list(values); },
          [&](const CommandKey&) { return spell_list(values); },
          [&](const ResignKey&) { return spell_resign(setting); },
          [](const auto&) { return std::string(); },  // of several values
      },
      key.shape);
}

std::optional<SettingRule> rule_of_plain(const std::vector<std::string>& texts) {
  GroupReader reader(texts);
  const auto line = reader.text();
  const auto conditions = reader.groups();
  auto set = reader.groups();
  if (!line || !conditions || !set || !reader.is_at_end()) {
    return std::nullopt;
  }
  SettingRule rule;
  rule.line = static_cast<int>(base::parse_int(*line).value_or(0));
  rule.set = std::move(*set);
  for (const PlainSetting& condition : *conditions) {
    const auto aspect = aspect_of(condition.key);
    if (!aspect) {
      return std::nullopt;
    }
    rule.when.push_back({*aspect, condition.values});
  }
  return rule;
}

std::optional<FurtherEngine> member_of_plain(const std::vector<std::string>& texts) {
  BotConfig place;
  return apply_item(texts, member_keys(), place) ? std::optional(std::move(place.engine.standby)) : std::nullopt;
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
