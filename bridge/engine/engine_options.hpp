// What an engine is told by option before it may search: the user's engine.options, whether it is to ponder, and the
// rules of the game; and which of its options matter to the bridge itself. It owns what is wanted, what the present
// process has declared, and what that one was told; it knows no process, and writes no line.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "bridge/engine/game_rules.hpp"
#include "bridge/outbox.hpp"
#include "config/engine_config.hpp"
#include "usi/option.hpp"

namespace kakehashi::bridge {

/// An option that keeps time back for a network: with the bridge's own margin the same time is kept back twice. Which
/// options those are is one table, in engine_options.cpp.
struct EngineDelay {
  std::string option;
  base::Millis time{0};
  /// It comes off the limit of each move, whatever the clock: what the bridge keeps back counts for both.
  bool is_of_each_move = false;
};

/// Those among the declared options that keep back enough to matter. `set` gives the value that the
/// user has set for a name, or nullptr; without one the declared default counts.
[[nodiscard]] std::vector<EngineDelay> engine_delays(
    const std::vector<usi::Option>& declared,
    const std::function<const std::string*(const std::string&)>& set);

/// Less is no loss worth a word.
inline constexpr base::Millis engine_delay_min{200};

class EngineOptions {
 public:
  EngineOptions(const config::Engine& config, bool ponder);
  /// What is wanted from here on; changes() has what follows for a process that was told otherwise.
  void adopt(const config::Engine& config, bool ponder);
  void adopt(const GameRules& rules) { rules_ = rules; }

  /// A process has greeted, with these: the user's settings and pondering, for before its first `isready`.
  [[nodiscard]] std::vector<usi::OptionSetting> on_declared(std::vector<usi::Option> declared, Outbox& out);
  /// The rules of the game that the engine has options for and that say otherwise yet. What the user has set stays, or is
  /// set again.
  [[nodiscard]] std::vector<usi::OptionSetting> changed_rules(Outbox& out);
  /// What the process is to be told, rules included, since it was told last.
  [[nodiscard]] std::vector<usi::OptionSetting> changes(Outbox& out);

  /// It declares a win that does not hold, by whatever rule it was set to: what keeps it from that until the next game, where
  /// it has an option for it that says otherwise yet.
  [[nodiscard]] std::optional<usi::OptionSetting> forbid_declaration(Outbox& out);

  /// Time that the engine keeps back by itself.
  [[nodiscard]] const std::vector<EngineDelay>& delays() const { return delays_; }
  /// Stochastic_Ponder is on: the engine takes back the predicted move by itself while it ponders,
  /// and begins the `go` that it was given anew on a hit (YaneuraOu and its kin).
  [[nodiscard]] bool rewinds_when_pondering() const;

 private:
  /// The present process; of the game's rules, by option.
  struct Told {
    usi::WantedOptions options{};
    bool ponder = false;
    std::map<std::string, std::string> rules{};
  };

  void find_delays();
  [[nodiscard]] std::vector<usi::OptionSetting> plan(Outbox& out) const;
  [[nodiscard]] std::vector<usi::OptionSetting> changed_plan(Outbox& out);
  /// What the process was told last of a rule's option that it has declared.
  [[nodiscard]] std::string& in_place_of(const std::string& option);
  /// The value in engine.options, the last one given; nullptr when the user leaves it alone.
  [[nodiscard]] const std::string* set_by_user(std::string_view option) const;

  usi::Protocol protocol_;
  usi::WantedOptions wanted_;
  bool ponder_;
  std::optional<GameRules> rules_;  ///< of the present game, or of the last one
  std::vector<usi::Option> declared_;  ///< by the process that greeted last
  std::vector<EngineDelay> delays_;    ///< among those; asked for on each turn
  Told told_;
};

}  // namespace kakehashi::bridge
