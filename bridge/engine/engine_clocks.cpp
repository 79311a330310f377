#include "bridge/engine/engine_clocks.hpp"

#include <utility>

namespace kakehashi::bridge {

using usi::ClockReading;

void ClockKnowledge::learn(bool may_ask) {
  is_unasked_ = true;
  may_ask_ = may_ask;
  is_to_be_known_ = true;
}

void ClockKnowledge::share(const ClockKnowledge& other) {
  found_ = other.found_;
  is_in_doubt_ = is_in_doubt_ || other.is_in_doubt_;
}

bool ClockKnowledge::must_learn() const {
  return (is_recalling_ || may_ask_) && set_ == config::EngineClock::automatic && !is_found();
}

std::optional<std::string> ClockKnowledge::on_identified(const std::string& name,
                                                         const std::vector<usi::OptionSetting>& settings) {
  named_ = usi::clocks_by_name(name);
  is_recalling_ = is_unasked_;
  if (!must_learn()) {
    is_recalling_ = may_ask_ = false;
    return std::nullopt;
  }
  facts_ = clock_facts(name, settings);
  return facts_;
}

bool ClockKnowledge::on_recalled(const usi::EngineClocks& remembered) {
  if (!std::exchange(is_recalling_, false)) {
    return false;
  }
  is_unasked_ = false;
  if (remembered.reading != ClockReading::unknown) {
    found_ = remembered;
  }
  return true;
}

bool ClockKnowledge::on_death_of_increment() {
  if (is_found()) {
    return false;
  }
  found_.reading = ClockReading::no_increments;
  return true;
}

bool ClockKnowledge::gets_own_clock_twice() const {
  // Asking has told nothing; or the process that is asked is out of reach, and another one plays.
  const bool is_unknown = is_to_be_known_ && set_ == config::EngineClock::automatic && reading().reading == ClockReading::unknown;
  return reading().swaps_sides || ((is_in_doubt_ || is_unknown) && !is_found() && protocol_ == usi::Protocol::usi);
}

usi::EngineClocks ClockKnowledge::reading() const {
  // In UCI who moves first is white for everybody.
  const bool swaps = named_.swaps_sides && protocol_ == usi::Protocol::usi;
  switch (found_.reading) {
    case ClockReading::unknown: return {is_in_doubt_ ? ClockReading::unknown : named_.reading, swaps};
    case ClockReading::no_increments: return {ClockReading::no_increments, swaps};
    case ClockReading::adds:
    case ClockReading::keeps_to_btime: return {found_.reading, found_.swaps_sides || swaps};
  }
  return found_;
}

config::EngineClock ClockKnowledge::form() const {
  const ClockReading known = reading().reading;
  const bool is_set = set_ != config::EngineClock::automatic;
  return is_set && known != ClockReading::no_increments ? set_ : clock_for(known);
}

}  // namespace kakehashi::bridge
