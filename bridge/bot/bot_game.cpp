// From one game to the next: offered, agreed, begun, lost and given back, ended.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "bridge/bot/bot_core.hpp"
#include "bridge/game/known_game.hpp"
#include "config/game_settings.hpp"

namespace kakehashi::bridge {

using base::quote_for_log;

namespace {

/// For two of our own bots that a server pairs again and again.
constexpr base::Millis own_game_pause{10'000};

}  // namespace

// --- offered

void Bot::Core::on_session(csa::SummaryReceived& event) {
  if (takes_back(event.summary)) {
    return;
  }
  if (phase() != Phase::waiting && phase() != Phase::agreeing) {
    out_.warn("unexpected_summary", "a game summary came out of place; it is left alone");
    return;
  }
  if (way_out_.is_asked()) {
    connection_.reject(now_, out_);
    leave(way_out_.exit_status(), "the game that was agreed on is not offered any more");
    return;
  }
  if (refuses_own_account(event.summary)) {
    return;
  }
  for (const std::string& remark : event.summary.remarks) {
    out_.info("summary_remark", remark);
  }
  const std::string& opponent = event.summary.name(shogi::opposite(event.summary.our_color));
  out_.tell(Paired{opponent, event.summary.our_color, event.summary.game_id});
  choose_game_settings(event.summary);
  game_.put(Offer(std::move(event.summary), now_.steady));
  report(Phase::agreeing);
  agree_when_idle();
}

bool Bot::Core::refuses_own_account(const csa::GameSummary& summary) {
  const auto& own = config_.game.own_accounts;
  const std::string& opponent = summary.name(shogi::opposite(summary.our_color));
  if (config_.game.meet_own || std::find(own.begin(), own.end(), opponent) == own.end()) {
    return false;
  }
  out_.warn("own_bot_rejected", "paired with " + quote_for_log(opponent) + ", a bot of our own, in game " +
                                    quote_for_log(summary.game_id) + ": REJECT (game.meet_own: false)");
  connection_.reject(now_, out_);
  connection_.close(out_);
  game_.clear();
  connection_.back_off("paired with a bot of our own", now_, out_, own_game_pause);
  return true;
}

void Bot::Core::choose_game_settings(const csa::GameSummary& summary) {
  config::GameSettings chosen =
      config::choose_settings(standing_config_, known_game(summary, standing_config_, now_.wall));
  config_ = std::move(chosen.bot);
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
  connection_.reject(now_, out_);
  if (phase() != Phase::agreeing) {
    return;
  }
  // It took the place of the game that was offered before.
  if (way_out_.is_asked()) {
    leave(way_out_.exit_status(), "the game that was agreed on is not offered any more");
  } else {
    game_.clear();
    connection_.wait(out_);
  }
}

void Bot::Core::agree_when_idle() {
  if (Offer* offered = game_.offer()) {
    offered->agree_when_idle(context());
  }
}

void Bot::Core::on_session(csa::AgreementRejected& event) {
  if (phase() == Phase::waiting) {
    connection_.ask_for_game(now_, out_);  // our own REJECT comes back
    return;
  }
  const Offer* offered = game_.offer();
  if (offered == nullptr) {
    return;
  }
  const std::string rejected =
      "game " + quote_for_log(event.game_id) + " was rejected by " + quote_for_log(event.by);
  const bool is_by_window = event.by.starts_with("the Server");
  if (is_by_window && !offered->agreed_at()) {
    out_.error("agree_too_late", rejected + " before the engine was ready");
    out_.count(Incident::agree_too_late);
  } else {
    out_.warn("game_rejected",
              rejected + (is_by_window ? ": the opponent did not agree in time" : "") +
                  "; it does not count as a game");
    out_.count(Incident::game_rejected);
  }
  if (way_out_.is_asked()) {
    leave(0, "the game was rejected");
    return;
  }
  game_.clear();
  connection_.wait_for_game(now_, out_);
}

// --- begun, and played

Match Bot::Core::new_match(Game game, base::SteadyTime started, base::SteadyTime agreed) {
  GameRecord record(mask_.hide(game.summary()), config_, now_.wall);
  return {std::move(game), std::move(record), started, agreed};
}

void Bot::Core::on_session(csa::GameStarted&) {
  Offer* offered = game_.offer();
  if (offered == nullptr) {
    // For a lost game some server may say START where another tells its Reconnect_State.
    csa::GameResumed resumed;
    on_session(resumed);
    return;
  }
  if (!offered->agreed_at()) {
    team_.new_game(out_);
  }
  connection_.succeed();
  kept_.record_path.clear();
  const base::SteadyTime agreed = offered->agreed_at().value_or(now_.steady);
  Match begun = new_match(offered->take_game(), now_.steady, agreed);
  begun.begin(context());
  out_.tell(GameStarted{begun.game().summary().game_id});
  game_.put(std::move(begun));
  report(Phase::playing);
}

// --- ended

void Bot::Core::on_session(csa::GameEnded& event) {
  Match* playing = game_.match();
  if (playing == nullptr) {
    return;
  }
  playing->drop_search(context());
  finish_game(*playing, mask_.hide(std::move(event.end)));
  game_.clear();
  way_out_.end_game();
  const bool is_last = config_.game.count && kept_.statistics.games_finished >= *config_.game.count;
  if (way_out_.is_asked() || is_last) {
    leave(way_out_.exit_status(), is_last ? "all games of game.count are played" : "the last game is over");
    return;
  }
  renew_engines();
  if (!connection_.is_up()) {
    return;  // on_server_closed() pauses before the next attempt
  }
  if (connection_.stays_connected()) {
    connection_.wait_for_game(now_, out_);
    return;
  }
  // One connection a game: shogi-server gives no second game on this socket (CSA reference, after
  // the end), and a relogin at once is safe.
  if (config_.server.logout == config::Logout::always) {
    connection_.log_out(now_, out_);
  }
  connection_.close(out_);
  connection_.prepare(out_);
  connect_when_idle();
}

void Bot::Core::finish_game(Match& match, const csa::GameEnd& end) {
  kept_.finished = std::make_shared<const FinishedGame>(match.finish(context(), end, kept_.statistics));
  kept_.view = match.view(mask_, team_);
  kept_.view->end = end;
}

void Bot::Core::renew_engines() {
  if (config_.engine.restart_each_game) {
    team_.renew(now_, out_);
  } else {
    team_.prove(now_, out_);
  }
}

// --- lost with its line, and given back or not

bool Bot::Core::takes_back(csa::GameSummary& summary) {
  if (game_.lost() == nullptr) {
    return false;
  }
  if (summary.game_id != connection_.way_back()->game_id) {
    give_up_lost_game("the server offers another game");
    return phase() != Phase::waiting;  // that was the last one, and the bot leaves
  }
  connection_.way_back()->summary = std::move(summary);
  return true;
}

void Bot::Core::on_session(csa::GameResumed& event) {
  if (game_.lost() == nullptr || !connection_.way_back()->summary) {
    out_.warn("unexpected_start", "a game goes on that was not asked for; it is left alone");
    return;
  }
  Match& lost = *game_.lost();
  Connection::WayBack way = *std::exchange(connection_.way_back(), std::nullopt);
  if (way.summary->reconnect_token) {
    way.token = *way.summary->reconnect_token;
  }
  if (!lost.catch_up(context(), way.summary->position(), event.state)) {
    // The server is the authority on where the game stands: its position begins a new record.
    out_.error("resumed_elsewhere",
               "the game goes on at a position that no move leads to from the one before the loss; "
               "a new record begins there");
    finish_game(lost, csa::GameEnd{});
    lost = new_match(Game(std::move(*way.summary)), lost.lost_at(), lost.lost_at());
    lost.begin(context());
  }
  out_.info("game_resumed", "game " + quote_for_log(lost.game().summary().game_id) +
                                " goes on after the loss of its line");
  out_.count(Incident::game_resumed);
  report(Phase::playing);
  lost.go_on(context(), event.state, std::move(way.token));
}

void Bot::Core::give_up_lost_game(const std::string& why) {
  out_.warn("game_not_given_back", "the game whose line was lost does not go on: " + why);
  connection_.way_back().reset();
  finish_game(*game_.lost(), csa::GameEnd{});
  game_.clear();
  connection_.lose_game();
  if (way_out_.is_asked()) {
    leave(way_out_.exit_status(), "the last game is over");
    return;
  }
  renew_engines();
  if (phase() == Phase::waiting && connection_.session().state() == csa::ClientSession::State::waiting) {
    connection_.ask_for_game(now_, out_);
  }
}

}  // namespace kakehashi::bridge
