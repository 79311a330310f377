// The room config/schema: what a setting is, and the one table of all. It owns the types of settings, their
// judgement as texts, how they are described, and their form in a journal; it knows no YAML, no page and no file.
//
// This header is the table. A setting is declared once, in the header of its section (config/*_config.hpp): the member
// with its default, and beside it name, type, range, level and meaning. Reading, writing, describing, replaying and the
// pages of the reference all go by this table, so a key cannot work and be undocumented, or the reverse.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/message.hpp"
#include "base/pass_environment.hpp"
#include "base/time.hpp"
#include "config/schema/text.hpp"
#include "config/setting_rule.hpp"
#include "usi/option.hpp"

namespace kakehashi::config {

struct BotConfig;
struct Key;
using base::Millis;

/// Where a value stands in a BotConfig.
template <class Value>
class Member {
 public:
  explicit Member(std::function<Value&(BotConfig&)> way) : way_(std::move(way)) {}

  Value& operator()(BotConfig& bot) const { return way_(bot); }
  /// The way only leads to the value.
  const Value& operator()(const BotConfig& bot) const { return way_(const_cast<BotConfig&>(bot)); }

 private:
  std::function<Value&(BotConfig&)> way_;
};

// --- what a key holds, and where in a BotConfig it goes. `at`, `get` and `set` never throw. ---

struct TextKey {
  Member<std::string> at;
  Complaint (*judge)(std::string_view);
  base::Message accepted;
};
/// From min to max, both included, in whole steps; a size may be 0, too. Where it may be, nothing is the word auto.
struct NumberKey {
  enum class Unit { none, millis, bytes };

  std::function<std::optional<std::int64_t>(const BotConfig&)> get;
  std::function<void(BotConfig&, std::optional<std::int64_t>)> set;
  std::int64_t min;
  std::int64_t max;
  Unit unit = Unit::none;
  std::int64_t step = 1;
  bool may_be_auto = false;
};
struct FlagKey {
  std::function<std::optional<bool>(const BotConfig&)> get;
  std::function<void(BotConfig&, bool)> set;
};
/// One of the words; `get` and `set` take its index.
struct ChoiceKey {
  std::vector<std::string> words;
  /// Other spellings and the word that each stands for; accepted, and not advertised.
  std::vector<std::pair<std::string, std::string>> aliases;
  std::function<std::size_t(const BotConfig&)> get;
  std::function<void(BotConfig&, std::size_t)> set;
};
/// Several of the words, none twice; a list, or one word alone. `get` and `set` take their indices.
struct ChoicesKey {
  std::vector<std::string> words;
  std::function<std::vector<std::size_t>(const BotConfig&)> get;
  std::function<void(BotConfig&, const std::vector<std::size_t>&)> set;
  bool takes_repeated = false;  ///< a word that comes again is no mistake, and counts once
};
/// Texts of one kind; a list, or one text alone.
struct TextsKey {
  Member<std::vector<std::string>> at;
  Complaint (*judge)(std::string_view);
  base::Message accepted;
};
struct ProxyKey {};        ///< server.proxy
/// A program and its arguments.
struct CommandKey {
  Member<std::vector<std::string>> at;
  std::size_t texts_max;
};
/// Environment variables.
struct EnvironmentKey {
  Member<base::Environment> at;
};
/// Options of an engine.
struct OptionsKey {
  Member<usi::WantedOptions> at;
};
/// game.resign
struct ResignKey {
  std::vector<Key> threshold;  ///< score and moves
};
struct RulesKey {};        ///< rules
/// A list of things that have settings of their own: those lead to its only item.
struct ItemsKey {
  std::vector<Key> keys;
  std::size_t most;
  base::Message what;  ///< an item is: "a member"
  std::function<std::vector<BotConfig>(const BotConfig&)> each;  ///< with one of the items alone
  std::function<void(BotConfig&, const BotConfig& alone)> add;
};

using Shape = std::variant<TextKey, NumberKey, FlagKey, ChoiceKey, ChoicesKey,
                           TextsKey, ProxyKey, CommandKey, EnvironmentKey,
                           OptionsKey, ResignKey, RulesKey, ItemsKey>;

/// For whom a setting is.
enum class Level {
  basic,   ///< what a first game on floodgate needs
  common,  ///< what many change
  expert,  ///< the rest
};

struct Key {
  std::string path;  ///< "server.port"; without a dot at the top level
  Shape shape;
  Level level = Level::expert;
  base::Message meaning;      ///< one sentence or more
  base::Message when_absent;  ///< in place of the default where the struct holds none
  bool is_required = false;
  bool is_settable = false;  ///< by a rule (setting_rule.hpp): it can still change when a game is offered

  [[nodiscard]] std::string section() const;  ///< "server", "server.tls"; empty at the top level
  [[nodiscard]] std::string leaf() const;     ///< "port"
};

/// A section that is a key too can be switched on by `true` alone, or by a map of its own keys.
struct Section {
  std::string name;  ///< "server", or "server.tls" below it
  base::Message meaning;
};

/// In the order in which people should read them.
[[nodiscard]] const std::vector<Key>& keys();
[[nodiscard]] const std::vector<Section>& sections();

/// The settings of one item of that key's list, "engine.team.name"; none for a key whose items have none.
[[nodiscard]] const std::vector<Key>& item_keys(const Key& key);
/// The defaults, and one item in each such list, with its own.
[[nodiscard]] BotConfig with_an_item_each();

[[nodiscard]] std::optional<std::size_t> index_of(const std::vector<std::string>& words, std::string_view word);

/// Settings of an earlier version, which a file and a journal may still hold, to no effect; and what to do instead. They
/// go with the next version (docs/stability.md).
struct LeftSetting {
  std::string_view path;
  base::Message advice;
};
/// Nothing for another path.
[[nodiscard]] const LeftSetting* find_left(std::string_view path);

/// Of a condition in a rule; nothing for another path.
[[nodiscard]] std::optional<Aspect> aspect_at(std::string_view path);

[[nodiscard]] bool is_section(std::string_view path);
/// Nothing for an unknown path.
[[nodiscard]] const Key* find_key(std::string_view path);
[[nodiscard]] const Key* find_key(const std::vector<Key>& keys, std::string_view path);

/// As a file has it: "1.5s", "10MB". The error is the end of a sentence.
[[nodiscard]] base::Result<std::int64_t> read_number(NumberKey::Unit unit, std::string_view text);
[[nodiscard]] std::string spell_number(NumberKey::Unit unit, std::int64_t number);

// --- for people ---

/// As it would be written in a file; nothing where a file can hold no such value, or must have one.
[[nodiscard]] std::optional<std::string> default_of(const Key& key);
/// That, or what happens without it.
[[nodiscard]] base::Message describe_default(const Key& key);
[[nodiscard]] base::Message describe_accepted(const Key& key);
[[nodiscard]] base::Message describe_level(const Key& key);

}  // namespace kakehashi::config
