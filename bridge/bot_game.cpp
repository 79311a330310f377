// What the server's words do to a game: agreement, moves, ends.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "bridge/eval_comment.hpp"
#include "bridge/known_game.hpp"
#include "config/game_settings.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::Millis;
using base::quote_for_log;

namespace {

/// The server closes its window 120 s after the summary (shogi-server); this leaves it some way.
constexpr Millis agree_window{100'000};

/// Servers send the result in one go with its reason; it may come in a segment of its own.
constexpr Millis result_delay_max{2'000};

usi::GameOver gameover_of(csa::Outcome outcome) {
  switch (outcome) {
    case csa::Outcome::win: return usi::GameOver::win;
    case csa::Outcome::lose: return usi::GameOver::lose;
    case csa::Outcome::draw:
    case csa::Outcome::none: return usi::GameOver::draw;
  }
  return usi::GameOver::draw;
}

/// A loss that no engine chose: a person should look.
bool is_lost_by_fault(const csa::GameEnd& end) {
  return end.outcome == csa::Outcome::lose &&
         (end.reason == "#ILLEGAL_MOVE" || end.reason == "#ILLEGAL_ACTION" ||
          end.reason == "#TIME_UP");
}

/// "won", "lost", "drawn": how a game went, for a sentence.
std::string in_words(csa::Outcome outcome) {
  switch (outcome) {
    case csa::Outcome::win: return "won";
    case csa::Outcome::lose: return "lost";
    case csa::Outcome::draw: return "drawn";
    case csa::Outcome::none: return "ended without a result";
  }
  return "ended without a result";
}

/// What the server means by it, for a person who does not know its words.
std::string accusation(std::string_view reason) {
  if (reason == "#ILLEGAL_ACTION") {
    return "something was sent out of turn, or a keepalive too soon";
  }
  return reason == "#TIME_UP" ? "our move came too late" : "what we sent is against the rules";
}

std::string count_moves(int moves) {
  return std::to_string(moves) + (moves == 1 ? " move" : " moves");
}

}  // namespace

void Bot::Core::on_session(csa::SummaryReceived& event) {
  if (takes_back(event.summary)) {
    return;
  }
  const bool is_other_offer = std::holds_alternative<Agreeing>(phase_);
  if (!std::holds_alternative<Waiting>(phase_) && !is_other_offer) {
    out_.warn("unexpected_summary", "a game summary came out of place; it is left alone");
    return;
  }
  if (is_draining_) {
    send(session_.reject(now_.steady));
    leave(final_status_, "the game that was agreed on is not offered any more");
    return;
  }
  if (refuses_own_account(event.summary)) {
    return;
  }
  for (const std::string& remark : event.summary.remarks) {
    out_.info("summary_remark", remark);
  }
  const std::string& opponent = event.summary.name(shogi::opposite(event.summary.our_color));
  const bool is_black = event.summary.our_color == shogi::Color::black;
  out_.info("paired",
            "paired with " + quote_for_log(opponent) + ", playing " +
                (is_black ? "black" : "white") + ", game " + quote_for_log(event.summary.game_id),
            {{"opponent", opponent},
             {"color", is_black ? "black" : "white"},
             {"game_id", event.summary.game_id}});
  choose_game_settings(event.summary);
  enter(Agreeing{.game = Game(std::move(event.summary)), .reject_at = now_.steady + agree_window});
  agree_when_idle();
}

void Bot::Core::choose_game_settings(const csa::GameSummary& summary) {
  config::GameSettings chosen =
      config::choose_settings(standing_config_, known_game(summary, standing_config_, now_.wall));
  config_ = std::move(chosen.bot);
  comments_ = wants_comments(config_.game);
  team_.adopt(config_.engine, config_.ponder != config::Ponder::off);
  for (const std::size_t index : chosen.applied) {
    const config::SettingRule& rule = config_.rules[index];
    out_.info("rule_applied", "rule " + std::to_string(index + 1) + " (line " +
                                  std::to_string(rule.line) + ": " + config::describe_when(rule) +
                                  ") sets " + config::describe_set(rule));
  }
}

void Bot::Core::on_session(csa::SummaryUnusable& event) {
  out_.error("summary_unusable", "game " + quote_for_log(event.game_id) +
                                     " cannot be played and is rejected: " + event.why);
  send(session_.reject(now_.steady));
  if (!std::holds_alternative<Agreeing>(phase_)) {
    return;
  }
  // It took the place of the game that was offered before.
  if (is_draining_) {
    leave(final_status_, "the game that was agreed on is not offered any more");
  } else {
    enter(Waiting{});
  }
}

void Bot::Core::agree_when_idle() {
  auto* agreeing = std::get_if<Agreeing>(&phase_);
  if (agreeing == nullptr || agreeing->has_agreed || !team_.is_idle()) {
    return;
  }
  if (!std::exchange(agreeing->is_engine_told, true)) {
    GameRules rules = rules_of(agreeing->game.summary());
    if (config_.time.round_up) {
      rules.round_up = round_up_for(agreeing->game.summary(), link_margin_.way());
    }
    team_.prepare_game(rules, now_, out_);
    team_.prove_if_stale(now_, out_, agree_window);
    if (!team_.is_idle()) {
      return;
    }
  }
  team_.new_game(out_);
  note_long_way(agreeing->game.summary());
  agreeing->has_agreed = true;
  send(session_.agree(now_.steady));
}

void Bot::Core::on_session(csa::GameStarted&) {
  auto* agreeing = std::get_if<Agreeing>(&phase_);
  if (agreeing == nullptr) {
    // For a lost game some server may say START where another tells its Reconnect_State.
    csa::GameResumed resumed;
    on_session(resumed);
    return;
  }
  if (!agreeing->has_agreed) {
    team_.new_game(out_);
  }
  retry_.reset();
  short_logins_ = 0;
  Game game = std::move(agreeing->game);
  GameRecord record(mask_.hide(game.summary()), config_, now_.wall);
  record_path_.clear();
  if (config_.records.enabled) {
    out_.add(record.begin());
  }
  out_.info("game_started", "game " + quote_for_log(game.summary().game_id) + " started");
  searches_lost_ = 0;
  Playing playing{.game = std::move(game), .record = std::move(record), .turn_started = now_.steady};
  playing.turn_is_due = playing.game.is_our_turn();
  enter(std::move(playing));
}

void Bot::Core::on_session(csa::AgreementRejected& event) {
  if (std::holds_alternative<Waiting>(phase_)) {
    ask_for_game();  // our own REJECT comes back
    return;
  }
  const auto* agreeing = std::get_if<Agreeing>(&phase_);
  if (agreeing == nullptr) {
    return;
  }
  const std::string rejected =
      "game " + quote_for_log(event.game_id) + " was rejected by " + quote_for_log(event.by);
  const bool is_by_window = event.by.starts_with("the Server");
  if (is_by_window && !agreeing->has_agreed) {
    out_.error("agree_too_late", rejected + " before the engine was ready");
  } else {
    out_.warn("game_rejected",
              rejected + (is_by_window ? ": the opponent did not agree in time" : "") +
                  "; it does not count as a game");
  }
  if (is_draining_) {
    leave(0, "the game was rejected");
    return;
  }
  wait_for_game();
}

void Bot::Core::on_session(csa::MovePlayed& event) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr) {
    return;
  }
  if (event.differs_from_sent) {
    out_.error("echo_differs", "the server played " + quote_for_log(event.move) +
                                   " for our move; the server is followed");
  }
  if (event.is_unechoed) {
    event.consumed = charge_unechoed(*playing, event);
  }
  const shogi::Position before = playing->game.position();
  const bool counted_units = playing->game.counts_units();
  const Millis elapsed = base::millis_between(playing->turn_started, now_.steady);
  const auto deviation = playing->game.play(event, elapsed);
  const shogi::Color turn = playing->game.position().side_to_move();
  session_.follow_turn(turn);
  event.mover = shogi::opposite(turn);
  event.is_ours = event.mover == playing->game.summary().our_color;
  if (deviation) {
    out_.warn("move_against_rules",
              "the server's move " + quote_for_log(event.move) + " breaks the rules (" + deviation->what +
                  "); the server is followed" +
                  (deviation->is_on_board ? "" : ", the board is as its line says") +
                  ", and the game goes on until it says otherwise");
    drop_search(*playing);
    playing->expected_reply.clear();
  } else {
    account_for(*playing, event);
  }
  if (playing->game.counts_units() && !counted_units) {
    out_.info("summary_remark", "the server counts T in the Time_Unit of the summary, not in seconds");
  }
  if (playing->turn) {
    drop_search(*playing);  // the server moved for us
  }
  add_to_record(*playing, event, before, deviation);
  playing->turn_started = now_.steady;
  playing->scores.resize(static_cast<std::size_t>(playing->game.ply()));
  if (const Thought* thought = playing->thought_behind(event);
      thought != nullptr && (!deviation || deviation->is_on_board)) {
    playing->scores.back() = thought->score;
  }
  if (event.is_ours) {
    settle_sent_move(*playing);
  }
  note_rules(*playing);
  playing->ponder_is_due = event.is_ours;
  playing->turn_is_due = !event.is_ours;
}

void Bot::Core::add_to_record(Playing& playing, const csa::MovePlayed& event,
                              const shogi::Position& before,
                              const std::optional<Deviation>& deviation) {
  GameRecord& record = playing.record;
  const MoveFacts facts = playing.facts_behind(event, now_.steady);
  AppendRecord grown;
  if (deviation && !deviation->is_on_board) {
    grown = record.refuse_and_leave(event.move);
  } else if (deviation) {
    grown = record.hold(playing.game.moves().back(), facts, before);
  } else {
    grown = record.add(playing.game.moves().back(), facts, before);
  }
  // The archive wants the record too, where no file is kept.
  const bool has_grown = !grown.text.empty() || !grown.source.empty();
  if (config_.records.enabled && has_grown) {
    out_.add(std::move(grown));
  }
}

void Bot::Core::on_session(csa::SpecialPlayed& event) {
  auto* playing = std::get_if<Playing>(&phase_);
  // shogi-server repeats %KACHI without its time: the first one is kept.
  if (playing != nullptr && !playing->special) {
    playing->special = event;
  }
  out_.note(Level::debug, "special_move", "the server says " + quote_for_log(event.word));
}

void Bot::Core::on_session(csa::GameEnding& event) {
  if (auto* playing = std::get_if<Playing>(&phase_)) {
    playing->is_ending = true;
    doubt_end_later(*playing, event);
    drop_search(*playing);
    out_.note(Level::debug, "game_ending", "the server says " + quote_for_log(event.reason));
  }
}

/// Silence on our turn would lose a game that is not over: some way into it the result is missed.
void Bot::Core::doubt_end_later(Playing& playing, const csa::GameEnding& event) {
  const shogi::Color us = playing.game.summary().our_color;
  if (event.may_stand_alone || session_.turn() != us || session_.is_echo_owed()) {
    return;
  }
  const ThinkTime limits = think_time(playing.game.ledger(), us, Millis{0}, think_time_rules());
  playing.doubt_at =
      std::min(now_.steady + result_delay_max, playing.turn_started + limits.hurry_after);
  playing.doubted = event.reason;
}

void Bot::Core::doubt_end(Playing& playing) {
  playing.doubt_at.reset();
  playing.is_ending = false;
  session_.doubt_end();
  out_.warn("end_doubted", "the server said " + quote_for_log(playing.doubted) +
                               " on our turn and no result; our clock may be running, so the game is played on");
  playing.turn_is_due = true;
  if (!lines_wait_) {
    begin_turn(playing);
  }
}

void Bot::Core::on_session(csa::GameGoesOn& event) {
  if (auto* playing = std::get_if<Playing>(&phase_)) {
    playing->is_ending = false;
    playing->doubt_at.reset();
    out_.warn("end_doubted", "a move came behind " + quote_for_log(event.reason) + ": the game goes on");
  }
}

void Bot::Core::on_session(csa::GameEnded& event) {
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing == nullptr) {
    return;
  }
  drop_search(*playing);
  finish_game(*playing, mask_.hide(std::move(event.end)));
  phase_ = Preparing{};
  leave_by_.reset();
  const bool is_last = config_.game.count && games_finished_ >= *config_.game.count;
  if (is_draining_ || is_last) {
    leave(final_status_, is_last ? "all games of game.count are played" : "the last game is over");
    return;
  }
  if (config_.engine.restart_each_game) {
    team_.renew(now_, out_);
  } else {
    team_.prove(now_, out_);
  }
  if (!is_connected_) {
    return;  // on_server_closed() pauses before the next attempt
  }
  if (stays_connected_) {
    wait_for_game();
    return;
  }
  // One connection a game: shogi-server gives no second game on this socket (CSA reference, after
  // the end), and a relogin at once is safe.
  if (config_.server.logout == config::Logout::always) {
    send(session_.logout(now_.steady));
  }
  close_server();
  enter(Preparing{});
  connect_when_idle();
}

void Bot::Core::finish_game(Playing& playing, const csa::GameEnd& end) {
  if (config_.records.times && playing.time.moves > 0) {
    playing.record.remark_at_end("time: " + describe(playing.time));
  }
  const bool is_unechoed = playing.game.is_our_turn() && !playing.special;
  if (end.outcome == csa::Outcome::lose && end.reason == "#ILLEGAL_MOVE" && is_unechoed) {
    playing.record.refuse(playing.last_sent);
  }
  FinishRecord files = playing.record.finish(end, playing.special, playing.game, now_.wall);
  if (config_.records.enabled) {
    out_.add(std::move(files));
  }
  finished_game_ = std::make_shared<const FinishedGame>(finished(playing, end));
  const bool is_announced = !end.reason.empty() || !end.result.empty();
  if (is_announced) {
    ++games_finished_;
  }
  last_game_ = view_of(playing);
  last_game_->end = end;
  const csa::GameSummary& summary = playing.game.summary();
  const std::string& opponent = summary.name(shogi::opposite(summary.our_color));
  const std::string against =
      " against " + quote_for_log(opponent) + " after " + count_moves(playing.game.ply());
  out_.note(is_announced ? Level::info : Level::error,
            is_announced ? "game_ended" : "game_lost_sight",
            is_announced ? in_words(end.outcome) +
                               (end.reason.empty() ? "" : " (" + end.reason + ")") + against
                         : "the connection ended in mid-game" + against,
            {{"outcome", csa::describe(end.outcome)},
             {"reason", end.reason},
             {"game_id", summary.game_id},
             {"moves", std::to_string(playing.game.ply())}});
  if (is_lost_by_fault(end)) {
    out_.error("lost_by_fault", "the server blames us: " + accusation(end.reason) + " (" + end.reason +
                                    "); the last move sent was " +
                                    quote_for_log(playing.last_sent) + "; position " +
                                    shogi::usi::format_sfen(playing.game.position()));
  }
  note_ponder_tally(playing);
  note_time_tally(playing);
  team_.game_over(gameover_of(end.outcome), now_, out_);
}

}  // namespace kakehashi::bridge
