// What the engine's words do, and what its absence does.
#include <utility>

#include "base/overload.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

namespace {

/// Sysexits: a service that is needed is unavailable.
constexpr int exit_unavailable = 69;

}  // namespace

void Bot::Core::on_news(std::vector<SeatNews> news) {
  for (SeatNews& item : news) {
    std::visit(base::Overload{
                   [&](const SeatReady&) { on_seat_ready(); },
                   [&](const SeatLost& lost) { on_seat_lost(lost); },
                   [&](const SeatGaveUp& gave_up) { on_seat_given_up(gave_up); },
                   [&](const SeatEmptied&) { finish_leaving(); },
                   [&](const StopObeyed& stop) { on_stop_obeyed(stop); },
                   [&](const usi::SearchInfo& info) { on_info(info); },
                   [&](const usi::SearchAnswered& answer) { on_answer(answer); },
               },
               item);
  }
  put_first_engine_back();
  // The last owed bestmove of a finished game frees the engine for the next one.
  if (std::holds_alternative<Preparing>(phase_)) {
    connect_when_idle();
  }
  agree_when_idle();
}

void Bot::Core::on_seat_ready() {
  note_engine_times();
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || playing->is_ending) {
    return;
  }
  team_.join_game(out_);
  if (playing->turn && !playing->turn->search && !playing->turn->lookup) {
    out_.warn("search_repeated", "another engine is ready and searches our move with the time left");
    search(*playing);
  }
}

void Bot::Core::on_seat_lost(const SeatLost& lost) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr) {
    return;
  }
  if (playing->pondering && !playing->pondering->parked) {
    lose_ponder_search(*playing, lost);
  }
  if (playing->turn) {
    lose_search(*playing, lost);
  }
}

void Bot::Core::lose_ponder_search(Playing& playing, const SeatLost& lost) {
  Pondering& pondering = *playing.pondering;
  if (lost.parked && lost.parked->search == pondering.search && !pondering.is_rewound) {
    pondering.parked = lost.parked;
    return;
  }
  if (lost.is_replaced && !playing.turn) {
    playing.expected_reply = shogi::usi::format_move(pondering.predicted);
    playing.ponder_is_due = true;
  }
  playing.pondering.reset();
}

/// The least risky moment: nothing is searched, so that nothing is lost but the standby's hash.
void Bot::Core::put_first_engine_back() {
  const auto* playing = std::get_if<Playing>(&phase_);
  const bool is_pondering =
      playing != nullptr && playing->pondering && !playing->pondering->parked;
  if (playing == nullptr || (!playing->turn && !is_pondering)) {
    team_.put_first_back(out_);
  }
}

void Bot::Core::on_seat_given_up(const SeatGaveUp& gave_up) {
  if (auto* playing = std::get_if<Playing>(&phase_)) {
    if (playing->turn) {
      playing->turn->search.reset();
      play_without_engine(*playing, RescueCause::gone, gave_up.why);
    }
    // The game is finished without it; then there is nothing left to play with.
    is_draining_ = true;
    final_status_ = exit_unavailable;
    return;
  }
  if (lost_game_) {
    is_draining_ = true;
    final_status_ = exit_unavailable;
    return;
  }
  leave(exit_unavailable, "there is no engine to play with");
}

void Bot::Core::on_info(const usi::SearchInfo& info) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr) {
    return;
  }
  const bool is_of_turn = playing->turn && playing->turn->search == info.search;
  const bool is_of_ponder = playing->pondering && playing->pondering->search == info.search;
  if (is_of_turn || (is_of_ponder && !playing->pondering->is_rewound)) {
    playing->thought.take(info.info);
  }
}

/// An answer that the rescue has overtaken may come when the next turn has begun: its end is set anew.
void Bot::Core::on_stop_obeyed(const StopObeyed& stop) {
  link_margin_.take_stop(stop.delay);
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || !playing->turn || playing->turn->is_hurried ||
      !playing->turn->limits.entitled) {
    return;
  }
  OwnTurn& turn = *playing->turn;
  turn.limits = think_time(playing->game.ledger(), playing->game.summary().our_color,
                           base::millis_between(turn.started, now_.steady), think_time_rules());
}

void Bot::Core::on_answer(const usi::SearchAnswered& answer) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr || !playing->turn || playing->turn->search != answer.search) {
    out_.note(Level::debug, "bestmove_swallowed",
              "an answer that no turn is waiting for was swallowed: " + answer.move);
    return;
  }
  OwnTurn& turn = *playing->turn;
  turn.search.reset();
  searches_lost_ = 0;
  choose(*playing, answer);
}

}  // namespace kakehashi::bridge
