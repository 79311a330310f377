// How the header of a section declares its settings: one call each, by the method of its type. It knows no setting.
// Only headers that are read for schema/keys.cpp include this.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/message.hpp"
#include "config/schema/keys.hpp"

namespace kakehashi::config {

using base::Message;
using base::say;
using base::verbatim;
using enum Level;
using namespace std::chrono_literals;

struct SettingTable {
  std::vector<Key> keys;
  std::vector<Section> sections;
};

/// What a path is, in the words of a complaint.
[[nodiscard]] inline Message any_path() { return say("a path; without a leading ~ or $"); }

/// The settings of one struct. Each method adds one: its name, the member that holds it and its default, what its type
/// asks for, its level, what it means, and what happens without it where the struct holds no default. What they return
/// is valid until the next one is added.
template <class Struct>
class SettingsOf {
 public:
  /// Of a BotConfig itself.
  explicit SettingsOf(SettingTable& table) : table_(table), place_([](BotConfig& bot) -> Struct& { return bot; }) {}

  /// Those of a struct within, under a section's name.
  template <class Inner>
  [[nodiscard]] SettingsOf<Inner> section(const char* name, Inner Struct::*member, Message meaning) {
    table_.sections.push_back({path_of(name), std::move(meaning)});
    return {table_, path_of(name), at(member)};
  }

  /// Those of each item of a list, in a table of their own.
  template <class Inner>
  Key& items(const char* name, std::vector<Inner> Struct::*list, void (*declare_item)(SettingsOf<Inner>), std::size_t most,
             Message what, Level level, Message meaning) {
    SettingTable inner;
    const auto all = at(list);
    declare_item({inner, path_of(name), Member<Inner>([all](BotConfig& bot) -> Inner& { return all(bot).front(); })});
    ItemsKey shape{std::move(inner.keys), most, std::move(what),
                   [all](const auto& bot) {  // a BotConfig, which is not whole here
                     std::vector<std::remove_cvref_t<decltype(bot)>> each(all(bot).size());
                     for (std::size_t i = 0; i < each.size(); ++i) {
                       all(each[i]) = {all(bot)[i]};
                     }
                     return each;
                   },
                   [all](BotConfig& bot, const BotConfig& alone) { all(bot).push_back(all(alone).front()); }};
    return own(name, std::move(shape), level, std::move(meaning));
  }
  /// Those of a struct that a key of its own type reads.
  template <class Inner>
  [[nodiscard]] std::vector<Key> keys_within(const char* name, Inner Struct::*member, void (*declare)(SettingsOf<Inner>)) {
    SettingTable inner;
    declare({inner, path_of(name), at(member)});
    return std::move(inner.keys);
  }

  Key& text(const char* name, std::string Struct::*member, Complaint (*judge)(std::string_view), Message accepted,
            Level level, Message meaning, Message when_absent = {}) {
    return own(name, TextKey{at(member), judge, std::move(accepted)}, level, std::move(meaning), std::move(when_absent));
  }
  Key& texts(const char* name, std::vector<std::string> Struct::*member, Complaint (*judge)(std::string_view),
             Message accepted, Level level, Message meaning, Message when_absent = {}) {
    return own(name, TextsKey{at(member), judge, std::move(accepted)}, level, std::move(meaning), std::move(when_absent));
  }
  template <class Number>
  Key& whole(const char* name, Number Struct::*member, std::int64_t min, std::int64_t max, Level level, Message meaning,
             Message when_absent = {}) {
    return own(name, number_at(at(member), min, max), level, std::move(meaning), std::move(when_absent));
  }
  template <class Duration>
  Key& duration(const char* name, Duration Struct::*member, Millis min, Millis max, Level level, Message meaning) {
    NumberKey shape = number_at(at(member), min.count(), max.count(), NumberKey::Unit::millis);
    shape.step = Millis(Duration{1}).count();
    return own(name, std::move(shape), level, std::move(meaning));
  }
  /// Or the word auto.
  Key& auto_duration(const char* name, std::optional<Millis> Struct::*member, Millis min, Millis max, Level level,
                     Message meaning) {
    NumberKey shape = number_at(at(member), min.count(), max.count(), NumberKey::Unit::millis);
    shape.may_be_auto = true;
    return own(name, std::move(shape), level, std::move(meaning));
  }
  Key& size(const char* name, std::uint64_t Struct::*member, std::int64_t min, std::int64_t max, Level level,
            Message meaning) {
    return own(name, number_at(at(member), min, max, NumberKey::Unit::bytes), level, std::move(meaning));
  }
  /// A bool, or an optional one.
  template <class Flag>
  Key& flag(const char* name, Flag Struct::*member, Level level, Message meaning, Message when_absent = {}) {
    return own(name, flag_at(at(member)), level, std::move(meaning), std::move(when_absent));
  }
  /// Of a section that is a key too: its `enabled`.
  template <class Inner>
  Key& on_switch(const char* name, Inner Struct::*member, Level level, Message meaning) {
    return own(name, flag_at(Member<bool>([at = at(member)](BotConfig& bot) -> bool& { return at(bot).enabled; })),
               level, std::move(meaning));
  }
  /// `words` in the order of the enumerators; of an optional one, the first word stands for nothing.
  template <class Value>
  Key& choice(const char* name, Value Struct::*member, std::vector<std::string> words, Level level, Message meaning) {
    ChoiceKey shape{std::move(words), {}, {}, {}};
    if constexpr (std::is_enum_v<Value>) {
      shape.get = [at = at(member)](const BotConfig& bot) { return static_cast<std::size_t>(at(bot)); };
      shape.set = [at = at(member)](BotConfig& bot, std::size_t index) { at(bot) = static_cast<Value>(index); };
    } else {
      shape.get = [at = at(member)](const BotConfig& bot) { return at(bot) ? static_cast<std::size_t>(*at(bot)) + 1 : 0; };
      shape.set = [at = at(member)](BotConfig& bot, std::size_t index) {
        at(bot) = index == 0 ? Value() : Value(static_cast<typename Value::value_type>(index - 1));
      };
    }
    return own(name, std::move(shape), level, std::move(meaning));
  }
  template <class Enum>
  Key& choices(const char* name, std::vector<Enum> Struct::*member, std::vector<std::string> words, Level level,
               Message meaning) {
    ChoicesKey shape{std::move(words),
                     [at = at(member)](const BotConfig& bot) {
                       std::vector<std::size_t> indices;
                       for (const Enum value : at(bot)) {
                         indices.push_back(static_cast<std::size_t>(value));
                       }
                       return indices;
                     },
                     [at = at(member)](BotConfig& bot, const std::vector<std::size_t>& indices) {
                       at(bot).clear();
                       for (const std::size_t index : indices) {
                         at(bot).push_back(static_cast<Enum>(index));
                       }
                     }};
    return own(name, std::move(shape), level, std::move(meaning));
  }
  Key& command(const char* name, std::vector<std::string> Struct::*member, Level level, Message meaning,
               Message when_absent = {}, std::size_t texts_max = 256) {
    return own(name, CommandKey{at(member), texts_max}, level, std::move(meaning), std::move(when_absent));
  }
  Key& environment(const char* name, base::Environment Struct::*member, Level level, Message meaning) {
    return own(name, EnvironmentKey{at(member)}, level, std::move(meaning));
  }
  Key& options(const char* name, usi::WantedOptions Struct::*member, Level level, Message meaning) {
    return own(name, OptionsKey{at(member)}, level, std::move(meaning));
  }
  /// Of a type of its own.
  Key& own(const char* name, Shape shape, Level level, Message meaning, Message when_absent = {}) {
    table_.keys.push_back({path_of(name), std::move(shape), level, std::move(meaning), std::move(when_absent)});
    return table_.keys.back();
  }

 private:
  template <class Other>
  friend class SettingsOf;

  SettingsOf(SettingTable& table, std::string section, Member<Struct> place)
      : table_(table), section_(std::move(section)), place_(std::move(place)) {}

  [[nodiscard]] std::string path_of(const char* name) const {
    return section_.empty() ? name : section_ + "." + name;
  }
  template <class Value>
  [[nodiscard]] Member<Value> at(Value Struct::*member) const {
    return Member<Value>([place = place_, member](BotConfig& bot) -> Value& { return place(bot).*member; });
  }
  template <class T>
  static std::optional<std::int64_t> number_of(const T& value) {
    if constexpr (requires { *value; }) {
      return value ? number_of(*value) : std::nullopt;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<std::int64_t>(value);
    } else {
      return Millis(value).count();
    }
  }
  template <class T>
  static void put(std::optional<std::int64_t> number, T& value) {
    if constexpr (requires { *value; }) {
      value.reset();
      if (number) {
        put(number, value.emplace());
      }
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(*number);
    } else {
      value = std::chrono::duration_cast<T>(Millis{*number});
    }
  }
  template <class Number>
  static NumberKey number_at(Member<Number> at, std::int64_t min, std::int64_t max,
                             NumberKey::Unit unit = NumberKey::Unit::none) {
    return {[at](const BotConfig& bot) { return number_of(at(bot)); },
            [at](BotConfig& bot, std::optional<std::int64_t> number) { put(number, at(bot)); }, min, max, unit};
  }
  template <class Flag>
  [[nodiscard]] static FlagKey flag_at(Member<Flag> at) {
    return {[at](const BotConfig& bot) { return std::optional<bool>(at(bot)); },
            [at](BotConfig& bot, bool value) { at(bot) = value; }};
  }

  SettingTable& table_;
  std::string section_;  ///< empty at the top level
  Member<Struct> place_;
};

}  // namespace kakehashi::config
