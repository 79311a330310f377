// Time: what is kept back of each turn, and what became of the rest.
#include <algorithm>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "bridge/engine_delays.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;

ThinkTimeRules Bot::Core::think_time_rules() const {
  const config::Time& time = config_.time;
  return {.margin = time.margin.value_or(
              link_margin_.margin({time.margin_min, time.margin_max})),
          .untimed_move = time.untimed_move,
          .way = link_margin_.way(),
          .stop = time.margin ? link_margin_.stop()
                              : std::max(LinkMargin::stop_min, link_margin_.stop()),
          .engine_keeps = kept_by_engine(),
          .clock = team_.player().clock(),
          .swaps_sides = team_.player().clocks().swaps_sides};
}

Millis Bot::Core::kept_by_engine() const {
  Millis kept{0};
  for (const EngineDelay& delay : team_.player().delays()) {
    kept = delay.is_of_each_move ? std::max(kept, delay.time) : kept;
  }
  return kept;
}

/// What the server will charge us for a move that it has not confirmed: servers count whole seconds and
/// the way is not known exactly, so the next one up.
Millis Bot::Core::charge_until(const Playing& playing, base::SteadyTime sent) const {
  const csa::TimeControl& control =
      playing.game.ledger().control(playing.game.summary().our_color);
  const Millis elapsed = base::millis_between(playing.turn_started, sent);
  const Millis counted = std::max(Millis{0}, elapsed - control.delay);
  return std::max<Millis>(std::chrono::ceil<base::Seconds>(counted), control.least_time_per_move);
}

void Bot::Core::account_for(Playing& playing, const csa::MovePlayed& echo) {
  if (!playing.sent || !echo.is_ours || echo.differs_from_sent || echo.is_unechoed) {
    return;
  }
  const SentMove& sent = *playing.sent;
  link_margin_.take_echo(base::millis_between(sent.left, now_.steady));
  if (!sent.entitled) {
    return;
  }
  const MoveTime time{*sent.entitled, sent.given,
                      base::millis_between(playing.turn_started, sent.left),
                      playing.game.moves().back().consumed};
  playing.time.take(time);
  const csa::TimeControl& own = playing.game.ledger().control(echo.mover);
  if (!own.rounds_up && !own.is_stop_watch && own.least_time_per_move.count() == 0) {
    link_margin_.take_charge(time.used, time.charged);
  }
  if (config_.records.times) {
    playing.record.remark(describe(time));
  }
  out_.note(Level::debug, "move_time", describe(time));
}

void Bot::Core::note_time_tally(const Playing& playing) {
  const TimeTally& tally = playing.time;
  if (tally.moves == 0) {
    return;
  }
  ++time_totals_.games;
  time_totals_.sum.add(tally);
  const std::string together =
      time_totals_.games > 1 ? "; in " + std::to_string(time_totals_.games) +
                                   " games together: " + describe(time_totals_.sum)
                             : "";
  const Millis margin = think_time_rules().margin;
  out_.info("time_used",
            describe(tally) + "; kept back now: " + format_millis(margin.count()) + " a move" + together,
            {{"moves", std::to_string(tally.moves)},
             {"entitled_ms", std::to_string(tally.sum.entitled.count())},
             {"given_ms", std::to_string(tally.sum.given.count())},
             {"used_ms", std::to_string(tally.sum.used.count())},
             {"charged_ms", std::to_string(tally.sum.charged.count())},
             {"lost_ms", std::to_string(tally.lost.count())},
             {"margin_ms", std::to_string(margin.count())}});
}

void Bot::Core::note_engine_times() {
  if (has_told_engine_times_) {
    return;
  }
  has_told_engine_times_ = true;
  if (team_.player().clocks().swaps_sides) {
    out_.warn("engine_swaps_clocks",
              "the engine takes the other side's clock for its own, as fairy-stockfish up to 11.2 does in "
              "shogi: it is given its own clock for both sides; a newer version needs no such help");
  }
  for (const EngineDelay& delay : team_.player().delays()) {
    if (delay.is_of_each_move) {
      out_.info("engine_keeps_time",
                "the engine keeps back " + format_millis(delay.time.count()) + " of each move by its option " +
                    delay.option + "; time.margin counts within that, not on top of it: the larger of the two is kept "
                    "back. engine.options " + delay.option + ": 0 leaves it to time.margin");
      continue;
    }
    out_.warn("time_kept_back_twice",
              "the engine keeps back " + format_millis(delay.time.count()) + " of each move by its option " +
                  delay.option + ", and the bridge " +
                  format_millis(think_time_rules().margin.count()) +
                  " (time.margin): the same time twice; set engine.options " + delay.option + ": 0");
  }
}

}  // namespace kakehashi::bridge
