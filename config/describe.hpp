// The one table of all keys: path, type, default, accepted range, and a sentence for people. What
// read_bot accepts and what docs/configuration.md says both come from here, so a key cannot work
// and be undocumented, or the reverse. Defaults are read from the structs of bot_config.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/bot_config.hpp"
#include "config/rules.hpp"

namespace kakehashi::config {

// --- what a key holds, and where in a BotConfig it goes. `at`, `get` and `set` never throw. ---

struct TextKey {
  std::string& (*at)(BotConfig&);
  Complaint (*judge)(std::string_view);
  const char* accepted;
};
/// From min to max, both included.
struct WholeKey {
  std::optional<std::int64_t> (*get)(const BotConfig&);
  void (*set)(BotConfig&, std::int64_t);
  std::int64_t min;
  std::int64_t max;
};
/// From min to max, in whole steps.
struct DurationKey {
  Millis (*get)(const BotConfig&);
  void (*set)(BotConfig&, Millis);
  Millis step;
  Millis min;
  Millis max;
};
/// The word auto, or from min to max.
struct AutoDurationKey {
  std::optional<Millis> (*get)(const BotConfig&);
  void (*set)(BotConfig&, std::optional<Millis>);
  Millis min;
  Millis max;
};
/// 0, or from min to max.
struct SizeKey {
  std::uint64_t& (*at)(BotConfig&);
  std::uint64_t min;
  std::uint64_t max;
};
struct FlagKey {
  std::optional<bool> (*get)(const BotConfig&);
  void (*set)(BotConfig&, bool);
};
/// One of the words; `get` and `set` take its index.
struct ChoiceKey {
  std::vector<std::string> words;
  /// Other spellings and the word that each stands for; accepted, and not advertised.
  std::vector<std::pair<std::string, std::string>> aliases;
  std::size_t (*get)(const BotConfig&);
  void (*set)(BotConfig&, std::size_t);
};
/// Several of the words, none twice; a list, or one word alone. `get` and `set` take their indices.
struct ChoicesKey {
  std::vector<std::string> words;
  std::vector<std::size_t> (*get)(const BotConfig&);
  void (*set)(BotConfig&, const std::vector<std::size_t>&);
};
/// Texts of one kind; a list, or one text alone.
struct TextsKey {
  std::vector<std::string>& (*at)(BotConfig&);
  Complaint (*judge)(std::string_view);
  const char* accepted;
};
struct ProxyKey {};        ///< server.proxy
/// A program and its arguments.
struct CommandKey {
  std::vector<std::string>& (*at)(BotConfig&);
};
/// Environment variables.
struct EnvironmentKey {
  Environment& (*at)(BotConfig&);
};
/// Options of an engine.
struct OptionsKey {
  EngineOptions& (*at)(BotConfig&);
};
struct ResignKey {};       ///< game.resign
struct NotifyKey {};       ///< notify
struct RulesKey {};        ///< rules

using Shape = std::variant<TextKey, WholeKey, DurationKey, AutoDurationKey, SizeKey, FlagKey,
                           ChoiceKey, ChoicesKey, TextsKey, ProxyKey, CommandKey, EnvironmentKey,
                           OptionsKey, ResignKey, NotifyKey, RulesKey>;

struct Key {
  std::string path;  ///< "server.port"; without a dot at the top level
  Shape shape;
  bool is_required = false;
  std::string explanation;   ///< one sentence
  std::string when_absent;   ///< in place of the default where the struct holds none

  [[nodiscard]] std::string section() const;  ///< "server", "server.tls"; empty at the top level
  [[nodiscard]] std::string leaf() const;     ///< "port"
};

/// A section that is a key too can be switched on by `true` alone, or by a map of its own keys.
struct Section {
  std::string name;  ///< "server", or "server.tls" below it
  std::string explanation;
};

/// In the order in which people should read them.
[[nodiscard]] const std::vector<Key>& keys();
[[nodiscard]] const std::vector<Section>& sections();

[[nodiscard]] bool is_section(std::string_view path);
/// Nothing for an unknown path.
[[nodiscard]] const Key* find_key(std::string_view path);

[[nodiscard]] std::string describe_type(const Key& key);
/// As it would be written in a file, or what happens without it.
[[nodiscard]] std::string describe_default(const Key& key);
[[nodiscard]] std::string describe_accepted(const Key& key);

}  // namespace kakehashi::config
