// How the engine reads its clock in a game with increments: remembered, asked before the first game, guessed by
// its name, or learned from its death. What its clock is told follows from that.
#include <utility>

#include "base/text.hpp"
#include "bridge/engine_seat.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::Now;
using usi::ClockReading;

bool EngineSeat::must_learn_clock() const {
  return (is_recalling_ || may_ask_clock_) && config_.clock == config::EngineClock::automatic &&
         clocks_found_.reading == ClockReading::unknown;
}

void EngineSeat::recall_clock(const std::vector<usi::OptionSetting>& settings, Outbox& out) {
  is_recalling_ = learns_clock_;
  if (!must_learn_clock() || !session_.dialect().plays_shogi) {
    is_recalling_ = false;
    may_ask_clock_ = false;
    return;
  }
  clock_facts_ = clock_facts(name_, settings);
  out.add(RecallClock{EngineId{launches_}, clock_facts_});
}

std::vector<SeatNews> EngineSeat::on_clock_recalled(const ClockRecalled& event, Now now, Outbox& out) {
  if (!is_present(event.engine) || !std::exchange(is_recalling_, false)) {
    return {};
  }
  learns_clock_ = false;
  if (event.clocks.reading != ClockReading::unknown) {
    clocks_found_ = event.clocks;
    out.note(Level::debug, "engine_clock", std::string(who_) + ": " + usi::describe(clocks_found_) +
                                               " (remembered from an earlier start)");
  }
  return state_ == State::learning ? learn_or_be_ready(now, out) : std::vector<SeatNews>{};
}

std::vector<SeatNews> EngineSeat::learn_or_be_ready(Now now, Outbox& out) {
  if (!must_learn_clock()) {
    return be_ready(now, out);
  }
  state_ = State::learning;
  if (is_recalling_) {
    deadline_ = now.steady + recall_timeout;
    return {};
  }
  may_ask_clock_ = false;
  Millis kept{0};
  for (const EngineDelay& delay : delays()) {
    kept += delay.time;
  }
  probe_.emplace(kept);
  return perform(probe_->start(now.steady), now, out);
}

std::vector<SeatNews> EngineSeat::perform(const usi::ClockProbe::Deed& deed, Now now, Outbox& out) {
  if (!deed.go.empty()) {
    write(session_.search({deed.position, deed.go, false}).reaction.lines, out);
  } else if (deed.stop) {
    write(session_.hurry().lines, out);
  }
  if (probe_->is_deaf()) {
    return fail(std::string(who_) + " sent no bestmove after stop", now, out);
  }
  deadline_ = probe_->deadline();
  if (!probe_->is_finished()) {
    return {};
  }
  clocks_found_ = probe_->found();
  probe_.reset();
  note_clock(out);
  // What it was asked is none of the game's business: it begins with an empty table.
  write(session_.new_game().lines, out);
  ask_ready(State::preparing, config_.ready_timeout, {}, now, out);
  return {};
}

void EngineSeat::note_clock(Outbox& out) const {
  const bool is_known = clocks_found_.reading != ClockReading::unknown;
  out.info("engine_clock", std::string(who_) + ": " + usi::describe(clocks()) +
                               (is_known ? " (found by asking it)" : " (by its name; asking it told nothing)"));
  if (is_known) {
    out.add(KeepClock{EngineId{launches_}, clock_facts_, clocks_found_});
  }
}

void EngineSeat::note_death(Outbox& out) {
  if (probe_) {
    probe_->on_death();
    if (probe_->found().reading == ClockReading::no_increments) {
      clocks_found_ = probe_->found();
      probe_.reset();
      note_clock(out);
    }
  } else if (std::exchange(is_trying_increments_, false) && clocks_found_.reading == ClockReading::unknown) {
    clocks_found_.reading = ClockReading::no_increments;
    out.warn("engine_clock", std::string(who_) + " ended when it was first given an increment (binc): from here on it "
                             "gets increments as byoyomi; engine.clock: byoyomi does so from the start");
  }
}

void EngineSeat::doubt_clock(Outbox& out) {
  probe_.reset();
  is_clock_in_doubt_ = true;
  out.warn("engine_clock", std::string(who_) + " failed while it was asked how it reads its clock: until the bridge "
                           "is started again it gets increments as byoyomi, and its own clock for both sides");
}

bool EngineSeat::gets_own_clock_twice() const {
  return clocks().swaps_sides || (is_clock_in_doubt_ && clocks_found_.reading == ClockReading::unknown &&
                                  config_.protocol == usi::Protocol::usi);
}

usi::EngineClocks EngineSeat::clocks() const {
  usi::EngineClocks named = usi::clocks_by_name(name_);
  // In UCI who moves first is white for everybody.
  named.swaps_sides = named.swaps_sides && config_.protocol == usi::Protocol::usi;
  switch (clocks_found_.reading) {
    case ClockReading::unknown:
      return {is_clock_in_doubt_ ? ClockReading::unknown : named.reading, named.swaps_sides};
    case ClockReading::no_increments: return {ClockReading::no_increments, named.swaps_sides};
    case ClockReading::adds:
    case ClockReading::keeps_to_btime:
      return {clocks_found_.reading, clocks_found_.swaps_sides || named.swaps_sides};
  }
  return clocks_found_;
}

config::EngineClock EngineSeat::clock() const {
  const ClockReading reading = clocks().reading;
  const bool is_set = config_.clock != config::EngineClock::automatic;
  if (is_set && reading != ClockReading::no_increments) {
    return config_.clock;
  }
  return clock_for(reading);
}

std::vector<EngineDelay> EngineSeat::delays() const {
  return engine_delays(session_.options(),
                       [this](const std::string& name) { return set_by_user(name); });
}

}  // namespace kakehashi::bridge
