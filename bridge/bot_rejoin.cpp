// Back into a game whose line was lost, where the server offers it (Reconnect_Token, CSA reference
// 6.5). The position that comes back is compared with ours, move by move; the clocks are the
// server's. A game that is not given back ends as lost from sight.
#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/legality.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::quote_for_log;
using shogi::Color;

namespace {

/// Servers keep a game for less than this; rshogi's for 30 s unless told otherwise.
constexpr Millis rejoin_window{120'000};

/// The move that leads from one position to the other.
std::optional<shogi::Move> step_between(const shogi::Position& from, const shogi::Position& to) {
  for (const shogi::Move& move : shogi::legal_moves(from)) {
    shogi::Position reached = from;
    reached.play(move);
    if (reached == to) {
      return move;
    }
  }
  return std::nullopt;
}

/// What was played while the line was down: nothing, our move that was on its way, the opponent's,
/// or one behind the other. Nothing at all when no such way leads there.
std::optional<std::vector<shogi::Move>> way_between(const shogi::Position& from,
                                                    const shogi::Position& to,
                                                    const std::string& unanswered) {
  if (from == to) {
    return std::vector<shogi::Move>{};
  }
  if (const auto ours = shogi::csa::parse_move(from, unanswered.substr(0, 7));
      ours && shogi::is_legal(from, *ours)) {
    shogi::Position reached = from;
    reached.play(*ours);
    if (reached == to) {
      return std::vector<shogi::Move>{*ours};
    }
    if (const auto reply = step_between(reached, to)) {
      return std::vector<shogi::Move>{*ours, *reply};
    }
    return std::nullopt;
  }
  const auto step = step_between(from, to);
  return step ? std::optional(std::vector<shogi::Move>{*step}) : std::nullopt;
}

}  // namespace

bool Bot::Core::may_rejoin(const Playing& playing) const {
  return playing.game.summary().reconnect_token && !playing.is_ending;
}

void Bot::Core::await_rejoining(Playing& playing, const std::string& why) {
  const std::string unanswered = session_.is_echo_owed() ? playing.last_sent : "";
  drop_search(playing);
  out_.warn("line_lost", "the line was lost in mid-game: " + why +
                             "; the server may give the game back, so connecting at once");
  std::string token = *playing.game.summary().reconnect_token;
  lost_game_ = LostGame{.playing = std::move(playing),
                        .lost_at = now_.steady,
                        .give_up = now_.steady + rejoin_window,
                        .unanswered = unanswered,
                        .token = std::move(token)};
  connect();
}

bool Bot::Core::takes_back(csa::GameSummary& summary) {
  if (!lost_game_) {
    return false;
  }
  if (summary.game_id != lost_game_->playing.game.summary().game_id) {
    give_up_lost_game("the server offers another game");
    return !std::holds_alternative<Waiting>(phase_);  // that was the last one, and the bot leaves
  }
  lost_game_->summary = std::move(summary);
  return true;
}

void Bot::Core::on_session(csa::GameResumed& event) {
  if (!lost_game_ || !lost_game_->summary) {
    out_.warn("unexpected_start", "a game goes on that was not asked for; it is left alone");
    return;
  }
  LostGame lost = *std::exchange(lost_game_, std::nullopt);
  if (lost.summary->reconnect_token) {
    lost.token = *lost.summary->reconnect_token;
  }
  if (!catch_up(lost, event.state)) {
    // The server is the authority on where the game stands: its position begins a new record.
    out_.error("resumed_elsewhere",
               "the game goes on at a position that no move leads to from the one before the loss; "
               "a new record begins there");
    finish_game(lost.playing, csa::GameEnd{});
    Game game(std::move(*lost.summary));
    GameRecord record(mask_.hide(game.summary()), config_, now_.wall);
    if (config_.records.enabled) {
      out_.add(record.begin());
    }
    lost.playing = Playing{.game = std::move(game), .record = std::move(record),
                           .turn_started = lost.lost_at};
    lost.unanswered.clear();
  }
  lost.playing.game.set_reconnect_token(lost.token);
  // The clocks hold the increment of the turn that runs; the ledger holds what is left before it.
  const csa::Ledger& ledger = lost.playing.game.ledger();
  for (const auto& [color, left] :
       {std::pair(Color::black, event.state.black), std::pair(Color::white, event.state.white)}) {
    if (left) {
      lost.playing.game.set_main_time(color, *left - ledger.control(color).increment);
    }
  }
  out_.info("game_resumed", "game " + quote_for_log(lost.playing.game.summary().game_id) +
                                " goes on after the loss of its line");
  enter(std::move(lost.playing));
  play_on(std::get<Playing>(phase_), lost.unanswered);
}

bool Bot::Core::catch_up(LostGame& lost, const csa::ResumeState& state) {
  Playing& playing = lost.playing;
  const auto way =
      way_between(playing.game.position(), lost.summary->position(), lost.unanswered);
  if (!way) {
    return false;
  }
  for (const shogi::Move& move : *way) {
    const shogi::Position before = playing.game.position();
    const Color mover = before.side_to_move();
    const csa::Ledger& ledger = playing.game.ledger();
    const auto left = mover == Color::black ? state.black : state.white;
    // The clock that came back already holds the increment of the next turn.
    const Millis spent =
        left ? std::max(Millis{0}, ledger.main_time(mover) + 2 * ledger.control(mover).increment - *left)
             : Millis{0};
    csa::MovePlayed played{mover, shogi::csa::format_move(before, move), spent};
    played.is_ours = mover == playing.game.summary().our_color;
    playing.game.play(played);
    AppendRecord grown = playing.record.add(playing.game.moves().back(),
                                            MoveFacts{playing.thought_behind(played)}, before);
    if (config_.records.enabled) {
      out_.add(std::move(grown));
    }
    if (played.is_ours) {
      settle_sent_move(playing);
    }
  }
  if (!way->empty()) {
    playing.turn_started = lost.lost_at;  // the latest instant at which it can have begun is unknown
    lost.unanswered.clear();
  }
  return true;
}

void Bot::Core::play_on(Playing& playing, const std::string& unanswered) {
  team_.join_game(out_);
  playing.turn_is_due = playing.game.is_our_turn() && unanswered.empty();
  if (!playing.game.is_our_turn() || unanswered.empty()) {
    return;
  }
  // It never arrived: the server stands where we stood when it left.
  if (unanswered == "%TORYO") {
    playing.last_sent = session_.resign(now_.steady);
  } else if (unanswered == "%KACHI") {
    playing.last_sent = session_.declare(now_.steady);
  } else {
    playing.last_sent = session_.move(unanswered.substr(0, 7), {}, now_.steady);
    if (playing.sent) {
      playing.sent->is_repeated = true;
    }
  }
  send(playing.last_sent);
}

void Bot::Core::watch_lost_game() {
  if (!lost_game_ || !expired(lost_game_->give_up)) {
    return;
  }
  give_up_lost_game("the server did not give it back in time");
  // A game that was offered back and does not go on must not go on later without us.
  if (std::holds_alternative<Waiting>(phase_) &&
      session_.state() != csa::ClientSession::State::waiting) {
    close_server();
    back_off("the lost game was offered back, and how it goes on was never said");
  }
}

void Bot::Core::give_up_lost_game(const std::string& why) {
  LostGame lost = *std::exchange(lost_game_, std::nullopt);
  out_.warn("game_not_given_back", "the game whose line was lost does not go on: " + why);
  finish_game(lost.playing, csa::GameEnd{});
  is_after_lost_game_ = true;
  if (is_draining_) {
    leave(final_status_, "the last game is over");
    return;
  }
  if (config_.engine.restart_each_game) {
    team_.renew(now_, out_);
  } else {
    team_.prove(now_, out_);
  }
  if (std::holds_alternative<Waiting>(phase_) &&
             session_.state() == csa::ClientSession::State::waiting) {
    ask_for_game();
  }
}

}  // namespace kakehashi::bridge
