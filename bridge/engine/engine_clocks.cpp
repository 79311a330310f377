// How the engine reads its clock in a game with increments: remembered, asked before the first game, guessed by
// its name, or learned from its death. What its clock is told follows from that.
#include <utility>

#include "base/text.hpp"
#include "bridge/engine/engine_supervisor.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::Now;
using usi::ClockReading;
using News = EngineSupervisor::News;

void EngineSupervisor::learn_clock(bool may_ask) {
  clock_.learns = true;
  clock_.may_ask = may_ask;
}

void EngineSupervisor::adopt_clocks(const EngineSupervisor& other) {
  clock_.found = other.clock_.found;
  clock_.is_in_doubt = clock_.is_in_doubt || other.clock_.is_in_doubt;
}

bool EngineSupervisor::must_learn_clock() const {
  const bool is_recalling = process() != nullptr && process()->is_recalling;
  return (is_recalling || clock_.may_ask) && config_.clock == config::EngineClock::automatic &&
         clock_.found.reading == ClockReading::unknown;
}

void EngineSupervisor::recall_clock(Process& process, const std::vector<usi::OptionSetting>& settings, Outbox& out) {
  process.is_recalling = clock_.learns;
  if (!must_learn_clock() || !process.session.dialect().plays_shogi) {
    process.is_recalling = false;
    clock_.may_ask = false;
    return;
  }
  clock_.facts = clock_facts(name_, settings);
  out.add(RecallClock{id_, clock_.facts});
}

News EngineSupervisor::on_clock_recalled(const ClockRecalled& event, Now now, Outbox& out) {
  Process* process = process_of(event.engine);
  if (process == nullptr || !std::exchange(process->is_recalling, false)) {
    return {};
  }
  clock_.learns = false;
  if (event.clocks.reading != ClockReading::unknown) {
    clock_.found = event.clocks;
    out.note(Level::debug, "engine_clock", who() + ": " + usi::describe(clock_.found) +
                                               " (remembered from an earlier start)");
  }
  return is_in<Learning>() ? learn_or_be_ready(now, out) : News{};
}

News EngineSupervisor::learn_or_be_ready(Now now, Outbox& out) {
  if (!must_learn_clock()) {
    return be_ready(now, out);
  }
  Learning& learning = process()->stage.emplace<Learning>();
  if (process()->is_recalling) {
    learning.by = now.steady + recall_timeout;
    return {};
  }
  clock_.may_ask = false;
  Millis kept{0};
  for (const EngineDelay& delay : delays()) {
    kept += delay.time;
  }
  learning.probe.emplace(kept);
  return perform(learning.probe->start(now.steady), now, out);
}

News EngineSupervisor::on_learning_deadline(Now now, Outbox& out) {
  auto& learning = std::get<Learning>(process()->stage);
  learning.by.reset();
  if (learning.probe) {
    return perform(learning.probe->on_time(now.steady), now, out);
  }
  process()->is_recalling = clock_.learns = false;
  return learn_or_be_ready(now, out);
}

News EngineSupervisor::perform(const usi::ClockProbe::Deed& deed, Now now, Outbox& out) {
  usi::Session& session = process()->session;
  if (!deed.go.empty()) {
    write(session.search({deed.position, deed.go, false}).reaction.lines, out);
  } else if (deed.stop) {
    write(session.hurry().lines, out);
  }
  auto& learning = std::get<Learning>(process()->stage);
  if (learning.probe->is_deaf()) {
    return fail(who() + " sent no bestmove after stop", now, out);
  }
  learning.by = learning.probe->deadline();
  if (!learning.probe->is_finished()) {
    return {};
  }
  clock_.found = learning.probe->found();
  note_clock(out);
  // What it was asked is none of the game's business: it begins with an empty table.
  write(session.new_game().lines, out);
  prepare({}, now, out);
  return {};
}

void EngineSupervisor::note_clock(Outbox& out) const {
  const bool is_known = clock_.found.reading != ClockReading::unknown;
  out.info("engine_clock", who() + ": " + usi::describe(clocks()) +
                               (is_known ? " (found by asking it)" : " (by its name; asking it told nothing)"));
  if (is_known) {
    out.add(KeepClock{id_, clock_.facts, clock_.found});
  }
}

void EngineSupervisor::note_death(Outbox& out) {
  auto* learning = std::get_if<Learning>(&process()->stage);
  if (learning != nullptr && learning->probe) {
    learning->probe->on_death();
    if (learning->probe->found().reading == ClockReading::no_increments) {
      clock_.found = learning->probe->found();
      learning->probe.reset();
      note_clock(out);
    }
  } else if (std::exchange(process()->is_trying_increments, false) &&
             clock_.found.reading == ClockReading::unknown) {
    clock_.found.reading = ClockReading::no_increments;
    out.warn("engine_clock", who() + " ended when it was first given an increment (binc): from here on it "
                             "gets increments as byoyomi; engine.clock: byoyomi does so from the start");
  }
}

void EngineSupervisor::doubt_clock(Outbox& out) {
  clock_.is_in_doubt = true;
  out.warn("engine_clock", who() + " failed while it was asked how it reads its clock: until the bridge "
                           "is started again it gets increments as byoyomi, and its own clock for both sides");
}

bool EngineSupervisor::gets_own_clock_twice() const {
  return clocks().swaps_sides || (clock_.is_in_doubt && clock_.found.reading == ClockReading::unknown &&
                                  config_.protocol == usi::Protocol::usi);
}

usi::EngineClocks EngineSupervisor::clocks() const {
  usi::EngineClocks named = usi::clocks_by_name(name_);
  // In UCI who moves first is white for everybody.
  named.swaps_sides = named.swaps_sides && config_.protocol == usi::Protocol::usi;
  switch (clock_.found.reading) {
    case ClockReading::unknown:
      return {clock_.is_in_doubt ? ClockReading::unknown : named.reading, named.swaps_sides};
    case ClockReading::no_increments: return {ClockReading::no_increments, named.swaps_sides};
    case ClockReading::adds:
    case ClockReading::keeps_to_btime:
      return {clock_.found.reading, clock_.found.swaps_sides || named.swaps_sides};
  }
  return clock_.found;
}

config::EngineClock EngineSupervisor::clock() const {
  const ClockReading reading = clocks().reading;
  const bool is_set = config_.clock != config::EngineClock::automatic;
  if (is_set && reading != ClockReading::no_increments) {
    return config_.clock;
  }
  return clock_for(reading);
}

std::vector<EngineDelay> EngineSupervisor::delays() const {
  return engine_delays(declared_,
                       [this](const std::string& name) { return set_by_user(name); });
}

}  // namespace kakehashi::bridge
