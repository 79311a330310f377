// The opponent's turns: the engine thinks about the reply that it expects, and goes on with the same
// search when that reply comes. With ponder: early it begins when our move leaves; a server that
// plays another move for us, or ends the game, only costs it that search.
#include <utility>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;

namespace {

/// "12 times, 5 replies came as expected (41 %), which gained 3 s".
std::string describe(const PonderTally& tally) {
  return std::to_string(tally.searches) + (tally.searches == 1 ? " time, " : " times, ") +
         std::to_string(tally.hits) + " replies came as expected (" +
         std::to_string(tally.hits * 100 / tally.searches) + " %), which gained " +
         format_millis(tally.gained.count());
}

}  // namespace

void Bot::Core::ponder(Playing& playing) {
  playing.ponder_is_due = false;
  const std::string reply = std::exchange(playing.expected_reply, {});
  if (config_.ponder == config::Ponder::off || reply.empty() || playing.is_ending ||
      playing.game.is_ended_by_rule() || playing.pondering || playing.turn || !team_.is_idle()) {
    return;
  }
  const shogi::Color us = playing.game.summary().our_color;
  shogi::Position position = playing.game.position();
  PositionCommand command = playing.game.command();
  csa::Ledger ledger = playing.game.ledger();
  int ply = playing.game.ply();
  if (playing.sent) {
    position.play(playing.sent->move);
    command.append(playing.sent->move);
    ledger.charge(us, charge_until(playing, now_.steady));
    ++ply;
  }
  const EngineChoice predicted = read_choice(position, reply);
  if (predicted.kind != EngineChoice::Kind::move) {
    return;
  }
  // The engine plans with the clocks as they will stand on our next turn, as far as they are known.
  const ThinkTime limits = think_time(ledger, us, Millis{0}, think_time_rules());
  const auto search = team_.search(
      {command.with(predicted.move), usi::format_go(limits.go, true), true}, now_, out_);
  if (search) {
    ++playing.tally.searches;
    playing.pondering =
        Pondering{*search, predicted.move, now_.steady, team_.player().rewinds_when_pondering()};
    begin_thought(playing, ply + 1);
  }
}

bool Bot::Core::take_up_ponder(Playing& playing) {
  if (!playing.pondering) {
    return false;
  }
  const Pondering pondering = *std::exchange(playing.pondering, std::nullopt);
  if (pondering.parked) {
    return take_up_parked(playing, pondering);
  }
  // An answer that a rewound search has given already is the opponent's move, and no use.
  const bool is_answer_of_other_side = pondering.is_rewound && team_.is_idle();
  // The engine counts from `ponderhit`: behind a book that took long it would think past its time.
  const OwnTurn& turn = *playing.turn;
  const bool is_late = base::millis_between(turn.started, now_.steady) > (turn.limits.rescue_after - turn.limits.given) / 2;
  if (playing.game.moves().back().move != pondering.predicted ||
      team_.player().current_search() != pondering.search || is_answer_of_other_side || (is_late && turn.limits.entitled)) {
    playing.turn->ponder_hit = false;
    team_.abandon(now_, out_);
    return false;
  }
  playing.turn->ponder_hit = true;
  ++playing.tally.hits;
  playing.tally.gained += base::millis_between(pondering.started, playing.turn_started);
  playing.turn->search = pondering.search;
  watch_silence(playing);
  const bool is_timed =
      config_.engine.timed_ponderhit.value_or(config_.ponder == config::Ponder::early);
  on_news(team_.ponderhit(is_timed ? usi::format_times(playing.turn->limits.go) : "", out_));
  return true;
}

/// The engine is gone, and its answer to the reply that came is as good as before.
bool Bot::Core::take_up_parked(Playing& playing, const Pondering& pondering) {
  const bool is_hit = playing.game.moves().back().move == pondering.predicted;
  playing.turn->ponder_hit = is_hit;
  if (!is_hit || read_choice(playing.game.position(), pondering.parked->move).kind ==
                     EngineChoice::Kind::unusable) {
    return false;
  }
  ++playing.tally.hits;
  playing.tally.gained += base::millis_between(pondering.started, playing.turn_started);
  out_.info("parked_answer_used", "the engine that was lost had answered this reply already");
  choose(playing, *pondering.parked);
  return true;
}

void Bot::Core::settle_sent_move(Playing& playing) {
  if (!playing.sent) {
    return;
  }
  if (playing.pondering && playing.game.moves().back().move != playing.sent->move) {
    playing.pondering.reset();  // of a game that the server did not play
    team_.abandon(now_, out_);
  }
  playing.sent.reset();
}

void Bot::Core::note_ponder_tally(const Playing& playing) {
  const PonderTally& tally = playing.tally;
  if (tally.searches == 0) {
    return;
  }
  ++ponder_totals_.games;
  ponder_totals_.sum.add(tally);
  const std::string together =
      ponder_totals_.games > 1 ? "; in " + std::to_string(ponder_totals_.games) +
                                     " games together: " + describe(ponder_totals_.sum)
                               : "";
  out_.info("pondered", "thought ahead " + describe(tally) + together,
            {{"searches", std::to_string(tally.searches)},
             {"hits", std::to_string(tally.hits)},
             {"gained_ms", std::to_string(tally.gained.count())}});
}

}  // namespace kakehashi::bridge
