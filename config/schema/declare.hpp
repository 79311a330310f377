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

  /// Those of each item of a list, under its name; `place` stands for the one that is read or written.
  template <class Inner>
  [[nodiscard]] SettingsOf<Inner> items(const char* name, Inner Struct::*place) {
    return {table_, path_of(name), at(place)};
  }
  /// The same without such a place: the first item of the list itself is read or written, and must be there.
  template <class Inner>
  [[nodiscard]] SettingsOf<Inner> items(const char* name, std::vector<Inner> Struct::*list) {
    return {table_, path_of(name),
            Member<Inner>([all = at(list)](BotConfig& bot) -> Inner& { return all(bot).front(); })};
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
    WholeKey shape{[at = at(member)](const BotConfig& bot) { return std::optional<std::int64_t>(at(bot)); },
                   [at = at(member)](BotConfig& bot, std::int64_t value) {
                     at(bot) = static_cast<typename Unwrapped<Number>::Type>(value);
                   },
                   min, max};
    return own(name, std::move(shape), level, std::move(meaning), std::move(when_absent));
  }
  template <class Duration>
  Key& duration(const char* name, Duration Struct::*member, Millis min, Millis max, Level level, Message meaning) {
    DurationKey shape{[at = at(member)](const BotConfig& bot) { return Millis(at(bot)); },
                      [at = at(member)](BotConfig& bot, std::optional<Millis> value) {
                        at(bot) = std::chrono::duration_cast<Duration>(*value);
                      },
                      Duration{1}, min, max};
    return own(name, std::move(shape), level, std::move(meaning));
  }
  /// Or the word auto.
  Key& auto_duration(const char* name, std::optional<Millis> Struct::*member, Millis min, Millis max, Level level,
                     Message meaning) {
    DurationKey shape{at(member), [at = at(member)](BotConfig& bot, std::optional<Millis> value) { at(bot) = value; },
                      Millis{1}, min, max, true};
    return own(name, std::move(shape), level, std::move(meaning));
  }
  Key& size(const char* name, std::uint64_t Struct::*member, std::uint64_t min, std::uint64_t max, Level level,
            Message meaning) {
    return own(name, SizeKey{at(member), min, max}, level, std::move(meaning));
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
  template <class Enum>
  Key& choice(const char* name, Enum Struct::*member, std::vector<std::string> words, Level level, Message meaning) {
    ChoiceKey shape{std::move(words),
                    {},
                    [at = at(member)](const BotConfig& bot) { return static_cast<std::size_t>(at(bot)); },
                    [at = at(member)](BotConfig& bot, std::size_t index) { at(bot) = static_cast<Enum>(index); }};
    return own(name, std::move(shape), level, std::move(meaning));
  }
  template <class Enum>
  Key& choice(const char* name, std::optional<Enum> Struct::*member, std::vector<std::string> words, Level level,
              Message meaning) {
    ChoiceKey shape{std::move(words),
                    {},
                    [at = at(member)](const BotConfig& bot) {
                      return at(bot) ? static_cast<std::size_t>(*at(bot)) + 1 : 0;
                    },
                    [at = at(member)](BotConfig& bot, std::size_t index) {
                      at(bot) = index == 0 ? std::nullopt : std::optional(static_cast<Enum>(index - 1));
                    }};
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

  template <class T>
  struct Unwrapped {
    using Type = T;
  };
  template <class T>
  struct Unwrapped<std::optional<T>> {
    using Type = T;
  };

  SettingsOf(SettingTable& table, std::string section, Member<Struct> place)
      : table_(table), section_(std::move(section)), place_(std::move(place)) {}

  [[nodiscard]] std::string path_of(const char* name) const {
    return section_.empty() ? name : section_ + "." + name;
  }
  template <class Value>
  [[nodiscard]] Member<Value> at(Value Struct::*member) const {
    return Member<Value>([place = place_, member](BotConfig& bot) -> Value& { return place(bot).*member; });
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
