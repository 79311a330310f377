// The connection and the login.
#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "bridge/bot_core.hpp"
#include "shogi/notation/usi.hpp"

namespace kakehashi::bridge {

using base::format_millis;
using base::Millis;
using base::quote_for_log;

namespace {

/// A refused login is repeated no sooner: the name may still be in game after a lost line.
constexpr Millis refused_login_pause{10'000};

/// A server keeps a lost game for half a minute or so: attempts come thick then.
constexpr Millis lost_game_pause_max{3'000};

/// A login that stood for so long, or led to a game, was a success.
constexpr Millis login_lasts_from{60'000};

/// What the way and a server's own delay may add to the clocks.
constexpr Millis line_patience_rest{15'000};

/// A line that was silent for so long does not come back, whatever the clocks allow.
constexpr Millis line_patience_max{3'600'000};

/// What a refusal most likely means. A bare LOGIN:incorrect has several meanings; rshogi's servers
/// add a word, and shogi-server says "username … is already connected" to an x1 login.
std::string likely_cause(std::string_view detail, bool is_after_lost_game) {
  if (detail.starts_with("rate_limited")) {
    return "it limits how often one may log in";
  }
  if (detail.starts_with("unknown_game_name")) {
    return "it does not know the game of game.name";
  }
  if (detail.starts_with("reconnect_rejected")) {
    return "it does not give the lost game back";
  }
  if (is_after_lost_game || detail.starts_with("already_logged_in")) {
    return "the name is probably still in the game whose line was lost; the server lets it go when "
           "that game's clock has run out";
  }
  return "the password may be wrong, or the name is still in game after a lost line";
}

Level level_of(csa::Remark::Weight weight) {
  switch (weight) {
    case csa::Remark::Weight::debug: return Level::debug;
    case csa::Remark::Weight::info: return Level::info;
    case csa::Remark::Weight::warn: return Level::warn;
  }
  return Level::warn;
}

}  // namespace

void Bot::Core::connect() {
  if (rests()) {
    rest();
    return;
  }
  session_ = csa::ClientSession();
  enter(Connecting{now_.steady + config_.server.connect_timeout});
  out_.add(ConnectServer{});
}

/// Never without a living engine: one that was silent for long proves itself first.
void Bot::Core::connect_when_idle() {
  team_.prove_if_stale(now_, out_);
  if (team_.is_idle()) {
    connect();
  }
}

void Bot::Core::close_server() {
  is_connected_ = false;
  out_.add(CloseServer{});
}

/// A game that the server does not give back hangs on its one connection: however long the way is cut, our next
/// move may still arrive in time, until the clocks have run out. On the opponent's turn that is theirs and
/// then ours. What can be had again is given up soon, to be had again sooner.
Millis Bot::Core::line_patience() const {
  const auto* playing = std::get_if<Playing>(&phase_);
  const auto* agreeing = std::get_if<Agreeing>(&phase_);
  if (playing != nullptr ? may_rejoin(*playing) || playing->is_ending
                         : agreeing == nullptr || agreeing->game.summary().reconnect_token) {
    return Millis{0};
  }
  const Game& game = playing != nullptr ? playing->game : agreeing->game;
  const csa::Ledger& ledger = game.ledger();
  const shogi::Color us = game.summary().our_color;
  const bool is_only_ours = playing != nullptr && game.is_our_turn();
  const auto ours = ledger.budget(us);
  const auto theirs = is_only_ours ? Millis{0} : ledger.budget(shogi::opposite(us));
  return ours && theirs ? std::min(line_patience_max, *ours + *theirs + line_patience_rest)
                        : line_patience_max;
}

void Bot::Core::hold_line() {
  const Millis patience = is_connected_ ? line_patience() : Millis{0};
  if (std::exchange(line_patience_, patience) != patience && is_connected_) {
    out_.add(HoldLine{patience});
  }
}

void Bot::Core::back_off(const std::string& why, Millis at_least) {
  Millis pause = retry_.next(at_least);
  if (lost_game_) {
    pause = std::min(pause, std::max(at_least, lost_game_pause_max));
  }
  out_.warn("retrying", why + "; next attempt in " + format_millis(pause.count()));
  enter(Backoff{now_.steady + pause});
}

void Bot::Core::send(std::string line) {
  std::string log_as = base::trim(line).empty() ? "(keepalive)" : line;
  out_.add(WriteServer{std::move(line), std::move(log_as)});
}

void Bot::Core::send_secret(std::string line, std::string log_as) {
  out_.add(WriteServer{std::move(line), std::move(log_as)});
}

void Bot::Core::on_connected(const ServerConnected& event) {
  if (!std::holds_alternative<Connecting>(phase_)) {
    out_.warn("unexpected_connection", "a connection to " + event.peer +
                                           " came up when none was asked for" +
                                           (is_connected_ ? "" : "; closing it"));
    if (!is_connected_) {
      close_server();
    }
    return;
  }
  if (!team_.is_idle() && !lost_game_) {
    close_server();
    out_.warn("login_postponed", "connected to " + event.peer +
                                     ", but the engine was lost meanwhile; the login waits for another one");
    enter(Preparing{});
    return;
  }
  is_connected_ = true;
  out_.info("connected", "connected to " + event.peer);
  enter(LoggingIn{now_.steady + config_.server.login_timeout, now_.steady});
  log_in();
}

void Bot::Core::log_in() {
  const std::string& name = config_.account.name;
  const std::string_view secret = config_.account.password.reveal();
  const std::string mask = secret.empty() ? "" : "****";
  if (config_.server.mode == config::LoginMode::x1) {
    send_secret(session_.login_x1(name, secret, now_.steady), "LOGIN " + name + " " + mask + " x1");
    return;
  }
  if (lost_game_) {
    const std::string& game_id = lost_game_->playing.game.summary().game_id;
    send_secret(session_.login_again(name, secret, game_id, lost_game_->token, now_.steady),
                "LOGIN " + name + " " + mask + " reconnect:" + game_id + "+****");
    return;
  }
  // CSA mode: the game name rides in front of the trip (CSA reference, LOGIN).
  const std::string& game = config_.game.name;
  const std::string comma = game.empty() || secret.empty() ? "" : ",";
  std::string words;
  words.reserve(game.size() + comma.size() + secret.size());
  words.append(game).append(comma).append(secret);
  send_secret(session_.login(name, words, now_.steady), "LOGIN " + name + " " + game + comma + mask);
  base::wipe(words);
}

void Bot::Core::wait_for_game() {
  if (rests()) {
    rest();
    return;
  }
  enter(Waiting{});
  ask_for_game();
}

void Bot::Core::ask_for_game() {
  if (config_.server.mode == config::LoginMode::x1) {
    // A wish for a colour is a word of its own here, and rides on the name in CSA mode.
    std::string game = config_.game.name;
    char turn = '*';
    if (game.ends_with("-B") || game.ends_with("-W")) {
      turn = game.back() == 'B' ? '+' : '-';
      game.resize(game.size() - 2);
    }
    send(session_.ask("%%GAME " + game + " " + turn, now_.steady));
  } else if (config_.server.challenge) {
    send(session_.ask("CHALLENGE", now_.steady));
  }
}

/// A server that throws us out as soon as we are in is not to be asked again each second: most often another
/// program has the same account, and each login of one puts the other out.
void Bot::Core::judge_login(const std::string& why) {
  const Millis lasted = base::millis_between(logged_in_at_, now_.steady);
  if (lasted >= login_lasts_from) {
    retry_.reset();
    short_logins_ = 0;
    return;
  }
  if (++short_logins_ > 1) {
    out_.error("login_cut_off",
               "the server ended our login " + format_millis(lasted.count()) + " after it had accepted it (" + why +
                   "), " + std::to_string(short_logins_) + " times in a row now: somebody else probably logs in as " + quote_for_log(config_.account.name) +
                   " there, another Kakehashi or another program, here or on another machine");
  }
}

void Bot::Core::on_server_line(const ServerLine& event) {
  if (is_connected_) {
    on_session_events(session_.on_line(mask_.hide_in_line(event.text), now_.steady));
  }
}

void Bot::Core::on_server_closed(const ServerClosed& event) {
  const bool was_connecting = std::holds_alternative<Connecting>(phase_);
  const bool was_logging_in = std::holds_alternative<LoggingIn>(phase_);
  if (!is_connected_ && !was_connecting) {
    return;
  }
  is_connected_ = false;
  if (auto* leaving = std::get_if<Leaving>(&phase_)) {
    quit_engine(*leaving);  // not yet quitting: that closes the connection first
    return;
  }
  auto* playing = std::get_if<Playing>(&phase_);
  if (playing != nullptr && !is_resigning_ && may_rejoin(*playing)) {
    await_rejoining(*playing, event.why);
    return;
  }
  const bool was_playing = playing != nullptr;
  if (std::holds_alternative<Waiting>(phase_) || std::holds_alternative<Agreeing>(phase_)) {
    judge_login(event.why);
  }
  on_session_events(session_.on_closed());
  if (std::holds_alternative<Leaving>(phase_) || std::holds_alternative<Gone>(phase_)) {
    return;
  }
  if (is_draining_ && !lost_game_) {
    leave(0, "the connection ended before the game began");
    return;
  }
  const std::string server =
      config_.server.host + ":" + std::to_string(config_.server.port);
  if (!was_connecting && !was_logging_in && !config_.server.relogin && !lost_game_) {
    leave(exit_line_lost, "the line to " + server + " was closed (" + event.why +
                              "), and server.relogin says not to come back");
    return;
  }
  if (was_connecting) {
    back_off("no connection to " + server + ": " + event.why);
  } else if (was_playing) {
    is_after_lost_game_ = true;
    back_off("the line to " + server + " was lost in mid-game: " + event.why);
  } else {
    back_off("the line to " + server + " was closed: " + event.why);
  }
}

void Bot::Core::on_session_events(std::vector<csa::SessionEvent> events) {
  for (csa::SessionEvent& event : events) {
    std::visit([this](auto& e) { on_session(e); }, event);
  }
}

void Bot::Core::on_session(csa::LoggedIn& event) {
  const auto* logging_in = std::get_if<LoggingIn>(&phase_);
  if (logging_in == nullptr) {
    return;
  }
  link_margin_.take_login(base::millis_between(logging_in->asked, now_.steady));
  logged_in_at_ = now_.steady;
  is_after_lost_game_ = false;
  out_.info("logged_in", "logged in as " + quote_for_log(event.name) + "; waiting for a game");
  if (lost_game_) {
    enter(Waiting{});
  } else {
    wait_for_game();
  }
  if (!has_been_ready_) {
    has_been_ready_ = true;
    out_.add(ReportReady{});
  }
}

void Bot::Core::on_session(csa::LoginFailed& event) {
  if (!std::holds_alternative<LoggingIn>(phase_)) {
    return;
  }
  const std::string detail = event.detail.empty() ? "" : " (" + quote_for_log(event.detail) + ")";
  out_.error("login_refused", "the server refused the login" + detail + ": " +
                                  likely_cause(event.detail, is_after_lost_game_));
  close_server();
  if (lost_game_ && event.detail.starts_with("reconnect_rejected")) {
    give_up_lost_game("the server refuses to give it back");
    if (std::holds_alternative<Leaving>(phase_) || std::holds_alternative<Gone>(phase_)) {
      return;
    }
  }
  back_off("login refused",
           std::max<Millis>(refused_login_pause, event.retry_after.value_or(base::Seconds{0})));
}

void Bot::Core::on_session(csa::LoggedOut&) {
  if (auto* leaving = std::get_if<Leaving>(&phase_)) {
    quit_engine(*leaving);
  }
}

void Bot::Core::on_session(csa::Remark& event) {
  out_.note(level_of(event.weight), "server_remark", std::move(event.text));
}

}  // namespace kakehashi::bridge
