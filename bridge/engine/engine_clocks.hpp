// How the engine of a seat reads its clock in a game with increments: remembered from an earlier start, asked before
// the first game, guessed by its name, or learned from its death; and what its clock is told in consequence. It knows
// no process: who runs one asks whether there is anything to learn, and says what was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/bot_config.hpp"
#include "config/schema/text.hpp"
#include "usi/clock_probe.hpp"
#include "usi/option.hpp"

namespace kakehashi::bridge {

class ClockKnowledge {
 public:
  explicit ClockKnowledge(const config::Engine& config) : set_(config.clock), protocol_(config.protocol) {}

  /// Before the first process: where engine.clock is auto, it is to be known how the engine reads increments before it
  /// is ready, from what is remembered of it or, if it may be asked, by asking it, once.
  void learn(bool may_ask);
  /// Another engine.clock.
  void adopt(config::EngineClock set) { set_ = set; }
  /// What another process of the same program has shown.
  void share(const ClockKnowledge& other);

  /// A process has greeted by that name, and is told these. What its answer depends on, to recall what is remembered
  /// by; nothing where there is nothing to learn.
  [[nodiscard]] std::optional<std::string> on_identified(const std::string& name,
                                                         const std::vector<usi::OptionSetting>& settings);
  /// What is remembered is on its way.
  [[nodiscard]] bool is_recalling() const { return is_recalling_; }
  /// False when nobody waits for it.
  bool on_recalled(const usi::EngineClocks& remembered);
  /// It does not come.
  void stop_recalling() { is_recalling_ = is_unasked_ = false; }
  /// Before the process is ready it is to be waited for, or to be asked.
  [[nodiscard]] bool must_learn() const;
  /// From here on it is being asked, which happens once.
  void ask() { may_ask_ = false; }
  void find(const usi::EngineClocks& found) { found_ = found; }
  /// It ended when it was first given an increment. False when it is known to take them.
  bool on_death_of_increment();
  /// It failed while it was asked: nothing counts but what can do no harm.
  void doubt() { is_in_doubt_ = true; }

  /// What its answers depend on.
  [[nodiscard]] const std::string& facts() const { return facts_; }
  /// It was found out, not only guessed.
  [[nodiscard]] bool is_found() const { return found_.reading != usi::ClockReading::unknown; }
  /// Others of its program have something to learn from it.
  [[nodiscard]] bool is_telling() const { return is_found() || is_in_doubt_; }
  [[nodiscard]] const usi::EngineClocks& found() const { return found_; }
  /// What was found, and what is only believed, by its name.
  [[nodiscard]] usi::EngineClocks reading() const;
  /// How its clock is to be spelled in a game with increments; never `automatic`.
  [[nodiscard]] config::EngineClock form() const;
  /// The other side's clock is to be told as ours: it would be taken for ours, or that is not known.
  [[nodiscard]] bool gets_own_clock_twice() const;

 private:
  config::EngineClock set_;
  usi::Protocol protocol_;
  usi::EngineClocks named_;  ///< what its name tells
  usi::EngineClocks found_;
  bool is_in_doubt_ = false;
  bool is_to_be_known_ = false;  ///< by asking this process or another one of the program
  bool is_unasked_ = false;  ///< what is remembered has not been asked for yet
  bool is_recalling_ = false;
  bool may_ask_ = false;
  std::string facts_;
};

/// Where nothing is known, byoyomi: it never makes an engine plan beyond its flag, and kills none.
[[nodiscard]] inline config::EngineClock clock_for(usi::ClockReading reading) {
  switch (reading) {
    case usi::ClockReading::adds: return config::EngineClock::separate;
    case usi::ClockReading::keeps_to_btime: return config::EngineClock::included;
    case usi::ClockReading::unknown:
    case usi::ClockReading::no_increments: return config::EngineClock::byoyomi;
  }
  return config::EngineClock::byoyomi;
}

/// What the answer of an engine depends on besides its program: "Fake; setoption name …".
[[nodiscard]] inline std::string clock_facts(const std::string& name,
                                             const std::vector<usi::OptionSetting>& settings) {
  std::string facts = name;
  for (const usi::OptionSetting& setting : settings) {
    facts += "; " + usi::format_setoption(setting);
  }
  return facts;
}

/// Whether some game of that bot may have increments: its name says so, or does not say.
[[nodiscard]] inline bool may_have_increments(const config::Game& game) {
  const auto name = config::parse_game_name(game.name);
  return !name || name->is_fischer;
}

/// Whether it counts in some game of that bot how the engine reads its clock: with byoyomi alone both sides' clocks
/// are empty, and there are no increments.
[[nodiscard]] inline bool may_have_main_time(const config::Game& game) {
  const auto name = config::parse_game_name(game.name);
  return !name || name->is_fischer || name->total.count() > 0;
}

/// The reading that a form is made for.
[[nodiscard]] inline usi::ClockReading reading_for(config::EngineClock clock) {
  switch (clock) {
    case config::EngineClock::separate: return usi::ClockReading::adds;
    case config::EngineClock::included: return usi::ClockReading::keeps_to_btime;
    case config::EngineClock::automatic:
    case config::EngineClock::byoyomi: return usi::ClockReading::no_increments;
  }
  return usi::ClockReading::no_increments;
}

}  // namespace kakehashi::bridge
