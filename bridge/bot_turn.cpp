// Our turns: the search, its answer, and what happens when there is none. Nothing leaves here that
// the rules of shogi forbid, and something leaves before the flag falls.
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;
using base::quote_for_log;

namespace {

/// With less than this left before the rescue, a new search is not worth starting.
constexpr Millis search_again_min{200};

/// With less than this between "stop" and the rescue, the standby engine is not asked for a move.
constexpr Millis consultation_min{50};

}  // namespace

void Bot::Core::begin_turn(Playing& playing) {
  playing.turn_is_due = false;
  if (playing.is_ending) {
    return;
  }
  const shogi::Color us = playing.game.summary().our_color;
  playing.turn = OwnTurn{
      .started = playing.turn_started,
      .limits = think_time(playing.game.ledger(), us, Millis{0}, think_time_rules())};
  playing.turn->given = playing.turn->limits.given;
  if (ends_without_a_search(playing)) {
    return;
  }
  if (!playing.game.is_for_engines()) {
    play_fallback(playing, "behind a move against the rules a king is missing or can be taken",
                  RescueCause::unusable);
    return;
  }
  if (!ask_book(playing)) {
    think(playing);
  }
}

void Bot::Core::think(Playing& playing) {
  if (!take_up_ponder(playing)) {
    search(playing);
  }
}

void Bot::Core::search(Playing& playing) {
  OwnTurn& turn = *playing.turn;
  const Millis spent = turn.limits.entitled ? base::millis_between(turn.started, now_.steady)
                                            : Millis{0};
  const bool is_repeated = turn.unusable_answers > 0 || spent.count() > 0;
  if (is_repeated && turn.limits.rescue_after - spent < search_again_min) {
    return;  // the rescue deadline is about to act
  }
  turn.is_hurried = false;
  request_search(playing);
}

void Bot::Core::request_search(Playing& playing) {
  OwnTurn& turn = *playing.turn;
  if (!turn.limits.entitled) {
    turn.started = now_.steady;  // no clock runs: a repeated search gets the whole time again
  }
  turn.limits = think_time(playing.game.ledger(), playing.game.summary().our_color,
                           base::millis_between(turn.started, now_.steady), think_time_rules());
  begin_thought(playing, playing.game.ply());
  turn.search = team_.search(
      {playing.game.command().text(), usi::format_go(turn.limits.go, false), false}, now_, out_);
  watch_silence(playing);
  if (!turn.search && team_.is_missing()) {
    play_without_engine(playing, RescueCause::gone, "there is no engine");
  }
}

/// The answer to an abandoned search may take its time: the search behind it gets what is left then,
/// not what was left when it began to wait.
void Bot::Core::renew_queued_search(const EngineLine& event) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || !playing->turn || !playing->turn->search ||
      !team_.player().is_search_queued() || event.text.starts_with("info")) {
    return;
  }
  request_search(*playing);
  if (playing->turn->is_hurried) {
    team_.hurry(now_, out_);
  }
}

void Bot::Core::begin_thought(Playing& playing, int ply) {
  if (!playing.thought.pv.empty()) {
    playing.earlier = {playing.thought_ply, std::move(playing.thought.pv)};
  }
  playing.thought = {};
  playing.thought_ply = ply;
  playing.thinker = playing.game.summary().our_color;
}

void Bot::Core::choose(Playing& playing, const usi::SearchAnswered& answer) {
  const EngineChoice choice = read_choice(playing.game.position(), answer.move);
  switch (choice.kind) {
    case EngineChoice::Kind::move:
      if (gives_up_by_score(playing)) {
        resign(playing, "the engine's score has been as low as game.resign says");
        return;
      }
      playing.expected_reply = answer.ponder;
      play(playing, choice.move);
      return;
    case EngineChoice::Kind::resign:
      answer_resignation(playing);
      return;
    case EngineChoice::Kind::declare:
      declare(playing);
      return;
    case EngineChoice::Kind::unusable:
      rescue(playing, "bestmove " + quote_for_log(answer.move) + " " + choice.why);
      return;
  }
}

void Bot::Core::play(Playing& playing, const shogi::Move& move) {
  if (!session_.may_send_move()) {
    out_.warn("move_not_sent", "a move was ready when the server takes none; it is dropped");
    playing.turn.reset();  // its deadlines would ring for ever
    return;
  }
  const shogi::Position& position = playing.game.position();
  const std::string comment =
      comments_ ? floodgate_comment(position, shogi::usi::format_move(move), playing.thought) : "";
  playing.last_sent = session_.move(shogi::csa::format_move(position, move), comment, now_.steady);
  send(playing.last_sent);
  playing.sent = SentMove{.move = move, .thought = playing.thought, .left = now_.steady};
  if (playing.turn) {
    playing.sent->entitled = playing.turn->limits.entitled;
    playing.sent->had = time_of_engine(*playing.turn);
    playing.sent->main_time = playing.game.ledger().main_time(playing.game.summary().our_color);
    playing.sent->elapsed = base::millis_between(playing.turn->started, now_.steady);
    playing.sent->ponder_hit = playing.turn->ponder_hit;
  }
  playing.turn.reset();
  team_.dismiss_advice(now_, out_);
  playing.ponder_is_due = config_.ponder == config::Ponder::early;
}

void Bot::Core::resign(Playing& playing, const std::string& why) {
  drop_search(playing);
  if (session_.may_send_move()) {
    out_.info("resigned", "resigning: " + why);
    playing.last_sent = session_.resign(now_.steady);
    send(playing.last_sent);
  }
}

void Bot::Core::drop_search(Playing& playing) {
  playing.turn_is_due = false;
  playing.ponder_is_due = false;
  playing.turn.reset();
  playing.pondering.reset();
  team_.dismiss_advice(now_, out_);
  team_.abandon(now_, out_);
}

void Bot::Core::watch_turn(Playing& playing) {
  watch_lookup(playing);
  if (!playing.turn) {
    return;
  }
  OwnTurn& turn = *playing.turn;
  if (!turn.is_hurried && expired(turn.started + turn.limits.hurry_after)) {
    hurry(playing);
  }
  if (turn.is_hurried && expired(turn.started + turn.limits.rescue_after)) {
    const bool are_both_silent = turn.is_doubted;
    play_without_engine(playing, RescueCause::silent, "no move came in time");
    if (!are_both_silent) {
      team_.hand_over("no move came in time", now_, out_);
    }
    return;
  }
  if (turn.doubt_at && expired(*turn.doubt_at) && !lines_wait_) {
    look_at_silence(playing);
  }
}

void Bot::Core::hurry(Playing& playing) {
  OwnTurn& turn = *playing.turn;
  turn.is_hurried = true;
  if (!turn.search) {
    return;
  }
  out_.warn("engine_hurried", "the engine has used its time of " +
                                  format_millis(turn.limits.hurry_after.count()) +
                                  "; it is told to stop");
  team_.hurry(now_, out_);
  const Millis left = turn.limits.rescue_after - base::millis_between(turn.started, now_.steady);
  if (turn.limits.entitled && left >= consultation_min && !lines_wait_) {
    usi::GoTimes times;
    times.byoyomi = left / 2;
    team_.consult({playing.game.command().text(), usi::format_go(times, false), false}, out_);
  }
}

}  // namespace kakehashi::bridge
