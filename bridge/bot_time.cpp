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
  // What a person has fixed is not exceeded, whatever is measured.
  const Millis way_max = time.margin ? *time.margin * 3 / 4 : Millis::max();
  // Nor is a game resigned before the engine could say a word: what is late loses no more.
  const bool resigns = config_.engine.on_failure == config::OnFailure::resign;
  return {.margin = time.margin.value_or(
              link_margin_.margin({time.margin_min, time.margin_max})),
          .untimed_move = time.untimed_move,
          .way = std::min(link_margin_.way() + link_margin_.lateness(), way_max),
          .mean_way = resigns ? Millis{0} : link_margin_.mean_way() + 2 * link_margin_.lateness(),
          .unsure = time.margin ? Millis{0} : link_margin_.unsure(),
          .stop = time.margin ? link_margin_.stop()
                              : std::max(LinkMargin::stop_min, link_margin_.stop()),
          .engine_keeps = kept_by_engine(),
          .clock = team_.player().clock(),
          .swaps_sides = team_.player().gets_own_clock_twice(),
          .needs_stop = link_margin_.needs_stop()};
}

Millis Bot::Core::kept_by_engine() const {
  Millis kept{0};
  for (const EngineDelay& delay : team_.player().delays()) {
    kept = delay.is_of_each_move ? std::max(kept, delay.time) : kept;
  }
  return kept;
}

/// What the server will charge us for a move that it has not confirmed, at most: servers count whole seconds, the
/// way included.
Millis Bot::Core::charge_until(const Playing& playing, base::SteadyTime sent) const {
  const csa::TimeControl& control =
      playing.game.ledger().control(playing.game.summary().our_color);
  const Millis elapsed = base::millis_between(playing.turn_started, sent) + link_margin_.way();
  const Millis counted = std::max(Millis{0}, elapsed - control.delay);
  return std::max<Millis>(std::chrono::ceil<base::Seconds>(counted), control.least_time_per_move);
}

/// It was at the server before the reply's time began, whatever held it up. That time is rounded down, and may be the
/// least one that the server counts.
Millis Bot::Core::charge_unechoed(const Playing& playing, const csa::MovePlayed& move) const {
  const base::SteadyTime sent = playing.sent ? playing.sent->left : now_.steady;
  if (!move.reply_took) {
    return charge_until(playing, sent);
  }
  const Millis both = base::millis_between(playing.turn_started, now_.steady) + link_margin_.way();
  const shogi::Color us = playing.game.summary().our_color;
  const csa::TimeControl& control = playing.game.ledger().control(us);
  const Millis least = playing.game.ledger().control(shogi::opposite(us)).least_time_per_move;
  const Millis used = std::max(both - (*move.reply_took > least ? *move.reply_took : Millis{0}), base::millis_between(playing.turn_started, sent));
  return std::max<Millis>(std::chrono::ceil<base::Seconds>(std::max(Millis{0}, used - control.delay)),
                          control.least_time_per_move);
}

/// Where the way takes most of the shortest turn, a person should know before the game begins.
void Bot::Core::note_long_way(const csa::GameSummary& summary) {
  const bool is_black = summary.our_color == shogi::Color::black;
  csa::TimeControls shortest = summary.times;
  csa::TimeControl& own = is_black ? shortest.black : shortest.white;
  const Millis turn = own.increment + own.byoyomi;
  const Millis way = link_margin_.way();
  if (own.is_untimed() || own.is_stop_watch || turn.count() == 0 || way <= turn / 2) {
    return;
  }
  own.total = Millis{0};
  const ThinkTime limits =
      think_time(csa::Ledger(shortest), summary.our_color, Millis{0}, think_time_rules());
  out_.warn("long_way",
            "the way to the server and back takes up to " + format_millis(way.count()) +
                ", and the shortest turn of this game is " + format_millis(turn.count()) +
                ": the engine gets " + format_millis(limits.given.count()) +
                " of it and is told to stop; a longer way loses on time",
            {{"way_ms", std::to_string(way.count())},
             {"turn_ms", std::to_string(turn.count())},
             {"left_ms", std::to_string(limits.given.count())}});
}

/// A turn on which no engine thinks: it was lost, or still owes the answer to another search.
void Bot::Core::watch_idleness() {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || !playing->turn) {
    return;
  }
  OwnTurn& turn = *playing->turn;
  const bool thinks = turn.lookup || (turn.search && !team_.player().is_search_queued());
  if (!thinks && !turn.idle_since) {
    turn.idle_since = now_.steady;
  } else if (thinks && turn.idle_since) {
    turn.idle += base::millis_between(*turn.idle_since, now_.steady);
    turn.idle_since.reset();
  }
}

/// What the engine could use of its turn, when the move leaves: without a word of it, nothing after it was lost.
Millis Bot::Core::time_of_engine(const OwnTurn& turn) const {
  Millis idle = turn.idle;
  if (turn.idle_since) {
    idle += std::max(Millis{0}, base::millis_between(*turn.idle_since, turn.started + turn.given));
  }
  return std::max(Millis{0}, turn.given - idle);
}

void Bot::Core::account_for(Playing& playing, const csa::MovePlayed& echo) {
  if (!playing.sent || !echo.is_ours || echo.differs_from_sent || echo.is_unechoed) {
    return;
  }
  const SentMove& sent = *playing.sent;
  if (!sent.is_repeated) {
    link_margin_.take_echo(base::millis_between(sent.left, now_.steady));
  }
  if (sent.entitled) {
    const csa::TimeControl& own = playing.game.ledger().control(echo.mover);
    MoveTime time{.entitled = *sent.entitled,
                  .had = sent.had,
                  .used = base::millis_between(playing.turn_started, sent.left),
                  .charged = playing.game.moves().back().consumed,
                  .added = own.increment,
                  .left = playing.game.ledger().main_time(echo.mover)};
    if (playing.time.moves == 0) {
      time.added += sent.main_time;
    }
    if (time.left.count() == 0 && !own.is_stop_watch) {
      time.added += own.byoyomi;
    }
    playing.time.take(time);
    // A move that was sent again carries the outage in its time.
    if (!sent.is_repeated && !own.rounds_up && !own.is_stop_watch &&
        own.least_time_per_move.count() == 0) {
      link_margin_.take_charge(time.used, time.charged);
    }
    if (config_.records.times) {
      playing.record.remark(describe(time));
    }
    out_.note(Level::debug, "move_time", describe(time));
  }
  link_margin_.end_move();
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
  const ThinkTimeRules rules = think_time_rules();
  out_.info("time_used",
            describe(tally) + "; kept back now: " + format_millis(rules.margin.count()) + " a move" +
                together,
            {{"moves", std::to_string(tally.moves)},
             {"granted_ms", std::to_string(tally.granted.count())},
             {"had_ms", std::to_string(tally.had().count())},
             {"used_ms", std::to_string(tally.used.count())},
             {"charged_ms", std::to_string(tally.charged.count())},
             {"lost_ms", std::to_string(tally.lost.count())},
             {"margin_ms", std::to_string(rules.margin.count())},
             {"way_ms", std::to_string(link_margin_.way().count())},
             {"stop_ms", std::to_string(link_margin_.stop().count())},
             {"late_ms", std::to_string(link_margin_.lateness().count())}});
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
