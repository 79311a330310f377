#include "bridge/bot/connection.hpp"

#include <algorithm>

#include "base/overload.hpp"
#include "base/text.hpp"
#include "bridge/event.hpp"

namespace kakehashi::bridge {

Retry::Retry(base::Millis first, base::Millis longest, std::uint64_t seed)
    : first_(first), longest_(std::max(first, longest)), step_(first), random_(seed) {}

base::Millis Retry::next(base::Millis at_least) {
  // splitmix64: small, seedable and good enough to spread attempts.
  random_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = random_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31;

  const auto quarter = static_cast<std::uint64_t>(step_.count() / 4);
  const auto shorter = static_cast<base::Millis::rep>(quarter == 0 ? 0 : mixed % (quarter + 1));
  const base::Millis pause = std::max(at_least, step_ - base::Millis{shorter});
  step_ = std::min(longest_, step_ * 2);
  return pause;
}

using base::duration;
using base::Millis;
using base::Now;
using base::quoted;
using base::say;

namespace {

constexpr Millis first_retry_pause{1'000};

/// A refused login is repeated no sooner: the name may still be in game after a lost line.
constexpr Millis refused_login_pause{10'000};

/// A server keeps a lost game for half a minute or so: attempts come thick then.
constexpr Millis lost_game_pause_max{3'000};

/// Servers keep a game for less than this; rshogi's for 30 s unless told otherwise.
constexpr Millis rejoin_window{120'000};

/// A login that stood for so long, or led to a game, was a success.
constexpr Millis login_lasts_from{60'000};

/// shogi-server closes the connection of a game that is over when the next line arrives on it.
constexpr Millis dead_line_answer_max{10'000};

/// How often to look at the wall clock, which may be set while we wait.
constexpr Millis look_again_max{600'000};

/// shogi-server, which takes game names, gives one game a connection; others give many.
bool stays_connected_by(const config::BotConfig& config) {
  switch (config.server.after_game) {
    case config::AfterGame::automatic:
      return config.game.name.empty() || config.server.mode == config::LoginMode::x1;
    case config::AfterGame::reconnect: return false;
    case config::AfterGame::stay: return true;
  }
  return false;
}

/// What a refusal most likely means. A bare LOGIN:incorrect has several meanings; rshogi's servers
/// add a word, and shogi-server says "username … is already connected" to an x1 login.
base::Message likely_cause(std::string_view detail, bool is_after_lost_game) {
  if (detail.starts_with("rate_limited")) {
    return say("it limits how often one may log in");
  }
  if (detail.starts_with("unknown_game_name")) {
    return say("it does not know the game of game.name");
  }
  if (detail.starts_with("reconnect_rejected")) {
    return say("it does not give the lost game back");
  }
  if (is_after_lost_game || detail.starts_with("already_logged_in")) {
    return say(
        "the name is probably still in the game whose line was lost; the server lets it go when "
        "that game's clock has run out");
  }
  return say("the password may be wrong, or the name is still in game after a lost line");
}

}  // namespace

Connection::Connection(const config::BotConfig& config, std::uint64_t seed)
    : config_(config),
      stays_connected_(stays_connected_by(config)),
      retry_(first_retry_pause, config.server.retry_max, seed),
      schedule_(config.schedule) {}

Phase Connection::phase() const {
  return std::visit(base::Overload{
                        [](const Preparing&) { return Phase::preparing; },
                        [](const Connecting&) { return Phase::connecting; },
                        [](const LoggingIn&) { return Phase::logging_in; },
                        [](const LoggedIn&) { return Phase::waiting; },
                        [](const Backoff&) { return Phase::backoff; },
                        [](const Resting&) { return Phase::resting; },
                    },
                    state_);
}

void Connection::enter(State state, Outbox& out) {
  state_ = state;
  out.add(PhaseChanged{phase()});
}

// --- up and down

void Connection::connect(Now now, Outbox& out) {
  if (rests(now)) {
    rest(now, out);
    return;
  }
  session_ = csa::ClientSession();
  enter(Connecting{now.steady + config_.server.connect_timeout}, out);
  out.add(ConnectServer{});
}

void Connection::close(Outbox& out) {
  is_up_ = false;
  out.add(CloseServer{});
}

void Connection::end(Now now, Outbox& out) {
  if (config_.server.logout == config::Logout::always) {
    log_out(now, out);
  }
  close(out);
}

void Connection::prepare(Outbox& out) { enter(Preparing{}, out); }

void Connection::back_off(const base::Message& why, Now now, Outbox& out, Millis at_least) {
  Millis pause = retry_.next(at_least);
  if (way_back_) {
    pause = std::min(pause, std::max(at_least, lost_game_pause_max));
  }
  const auto trouble = say("{}; next attempt in {}", why, duration(pause.count()));
  out.warn("retrying", trouble);
  out.count(Incident::retrying, trouble);
  enter(Backoff{now.steady + pause}, out);
}

void Connection::hold(Millis patience, Outbox& out) {
  if (!is_up_) {
    patience = Millis{0};
  }
  if (std::exchange(line_patience_, patience) != patience && is_up_) {
    out.add(HoldLine{patience});
  }
}

void Connection::succeed() {
  retry_.reset();
  logins_.cut_off = 0;
  logins_.rejected = 0;
}

bool Connection::end_pairing(Now now, Outbox& out) {
  if (stays_connected()) {
    wait_behind_game(now, out);
    return false;
  }
  end(now, out);
  if (++logins_.rejected > 1) {
    back_off(say("the game was rejected again"), now, out);
    return false;
  }
  prepare(out);
  return true;
}

void Connection::wait_behind_game(Now now, Outbox& out) {
  logins_.is_behind_game = true;
  logins_.spoke.reset();
  wait_for_game(now, out);
}

void Connection::on_connected(const ServerConnected& event, bool may_log_in, Now now, Outbox& out) {
  if (!is<Connecting>()) {
    const auto odd = say("a connection to {} came up when none was asked for", event.peer);
    out.warn("unexpected_connection", is_up_ ? odd : say("{}; {}", odd, say("closing it")));
    if (!is_up_) {
      close(out);
    }
    return;
  }
  if (!may_log_in) {
    close(out);
    out.warn("login_postponed",
             say("connected to {}, but the engine was lost meanwhile; the login waits for another one", event.peer));
    prepare(out);
    return;
  }
  is_up_ = true;
  out.info("connected", say("connected to {}", event.peer));
  out.count(Incident::connected);
  enter(LoggingIn{now.steady + config_.server.login_timeout, now.steady}, out);
  log_in(now, out);
}

/// A server that throws us out as soon as we are in is not to be asked again each second: most often another
/// program has the same account, and each login of one puts the other out.
void Connection::on_closed(const base::Message& why, bool was_idle, Now now, Outbox& out) {
  is_up_ = false;
  if (!was_idle || !is<LoggedIn>()) {
    return;
  }
  if (logins_.is_behind_game && logins_.spoke && base::millis_between(*logins_.spoke, now.steady) <= dead_line_answer_max &&
      config_.server.after_game == config::AfterGame::automatic && !std::exchange(is_one_game_, true)) {
    out.info("one_game_a_connection", say("the server closed the connection that was kept behind a game, as soon as we "
                                          "said something on it: from now on "
                                          "it is renewed behind each game (server.after_game: auto)"));
  }
  const Millis lasted = base::millis_between(logins_.last, now.steady);
  if (lasted >= login_lasts_from) {
    succeed();
    return;
  }
  if (++logins_.cut_off > 1) {
    out.error("login_cut_off",
              say("the server ended our login {} after it had accepted it ({}), {} times in a row now: "
                  "somebody else probably logs in as {} there, another Kakehashi or another program, here or "
                  "on another machine",
                  duration(lasted.count()), why, logins_.cut_off, quoted(config_.account.name)));
  }
}

// --- lines

void Connection::send(std::string line, Outbox& out) const {
  std::string log_as = base::trim(line).empty() ? "(keepalive)" : line;
  out.add(WriteServer{std::move(line), std::move(log_as)});
}

std::vector<csa::SessionEvent> Connection::on_line(const std::string& line, Now now) {
  return is_up_ ? session_.on_line(line, now.steady) : std::vector<csa::SessionEvent>{};
}

void Connection::log_in(Now now, Outbox& out) {
  const std::string& name = config_.account.name;
  const std::string_view secret = config_.account.password.reveal();
  const std::string mask = secret.empty() ? "" : "****";
  if (config_.server.mode == config::LoginMode::x1) {
    out.add(WriteServer{session_.login(name, secret, now.steady, "x1"), "LOGIN " + name + " " + mask + " x1"});
    return;
  }
  if (way_back_) {
    out.add(WriteServer{session_.login_again(name, secret, way_back_->game_id, way_back_->token, now.steady),
                        "LOGIN " + name + " " + mask + " reconnect:" + way_back_->game_id + "+****"});
    return;
  }
  // CSA mode: the game name rides in front of the trip (CSA reference, LOGIN).
  const std::string& game = config_.game.name;
  const std::string comma = game.empty() || secret.empty() ? "" : ",";
  std::string words;
  words.reserve(game.size() + comma.size() + secret.size());
  words.append(game).append(comma).append(secret);
  out.add(WriteServer{session_.login(name, words, now.steady), "LOGIN " + name + " " + game + comma + mask});
  base::wipe(words);
}

std::optional<Millis> Connection::on_logged_in(const csa::LoggedIn& event, Now now, Outbox& out) {
  const auto* logging_in = std::get_if<LoggingIn>(&state_);
  if (logging_in == nullptr) {
    return std::nullopt;
  }
  const Millis delay = base::millis_between(logging_in->asked, now.steady);
  logins_.last = now.steady;
  logins_.is_after_lost_game = false;
  logins_.is_behind_game = false;
  out.info("logged_in", say("logged in as {}; waiting for a game", quoted(event.name)));
  out.count(Incident::logged_in);
  if (way_back_) {
    wait(out);
  } else {
    wait_for_game(now, out);
  }
  report_ready(out);
  return delay;
}

bool Connection::on_login_failed(const csa::LoginFailed& event, Outbox& out) {
  if (!is<LoggingIn>()) {
    return false;
  }
  const auto cause = likely_cause(event.detail, logins_.is_after_lost_game);
  const auto trouble = event.detail.empty() ? say("the server refused the login: {}", cause)
                                            : say("the server refused the login ({}): {}", quoted(event.detail), cause);
  out.error("login_refused", trouble);
  out.count(Incident::login_refused, trouble);
  close(out);
  return true;
}

void Connection::back_off_refused(const csa::LoginFailed& event, Now now, Outbox& out) {
  back_off(say("login refused"), now, out,
           std::max<Millis>(refused_login_pause, event.retry_after.value_or(base::Seconds{0})));
}

void Connection::wait_for_game(Now now, Outbox& out) {
  if (rests(now)) {
    rest(now, out);
    return;
  }
  wait(out);
  ask_for_game(now, out);
}

void Connection::ask_for_game(Now now, Outbox& out) {
  if (config_.server.mode == config::LoginMode::x1) {
    // A wish for a color is a word of its own here, and rides on the name in CSA mode.
    std::string game = config_.game.name;
    char turn = '*';
    if (game.ends_with("-B") || game.ends_with("-W")) {
      turn = game.back() == 'B' ? '+' : '-';
      game.resize(game.size() - 2);
    }
    send(session_.ask("%%GAME " + game + " " + turn, now.steady), out);
  } else if (config_.server.challenge) {
    send(session_.ask("CHALLENGE", now.steady), out);
  }
}

bool Connection::may_log_out(bool behind_games) const {
  return is_up_ && config_.server.logout != config::Logout::never &&
         (session_.state() == csa::ClientSession::State::waiting ||
          (behind_games && session_.state() == csa::ClientSession::State::ended));
}

void Connection::report_ready(Outbox& out) {
  if (!std::exchange(has_reported_ready_, true)) {
    out.add(ReportReady{});
  }
}

// --- the hours of play

bool Connection::rests(Now now) const {
  return !way_back_ && takes_games_ && !schedule_.is_open(now.wall);
}

void Connection::rest(Now now, Outbox& out) {
  if (may_log_out(stays_connected_)) {
    log_out(now, out);
  }
  if (is_up_) {
    close(out);
  }
  const auto opening = schedule_.next_change(now.wall);
  out.info("resting", say("outside the windows of schedule.windows: logged out; waits for its window until {}",
                          opening ? base::verbatim(schedule_.describe(*opening)) : say("the schedule is changed")));
  enter(Resting{}, out);
  report_ready(out);  // as ready as it is to be now
}

std::optional<ViewedWindow> Connection::window(Now now) const {
  const auto opening = is<Resting>() ? schedule_.next_change(now.wall) : std::nullopt;
  return opening ? std::optional(ViewedWindow{schedule_.describe(*opening), *opening}) : std::nullopt;
}

// --- time

std::optional<base::SteadyTime> Connection::state_deadline(Now now) const {
  const auto window = [&]() -> std::optional<base::SteadyTime> {
    if (rests(now) != is<Resting>()) {
      return now.steady;
    }
    if (!schedule_.has_windows()) {
      return std::nullopt;
    }
    const auto change = schedule_.next_change(now.wall);
    return now.steady +
           (change ? std::min<base::SteadyTime::duration>(*change - now.wall, look_again_max) : look_again_max);
  };
  return std::visit(base::Overload{
                        [](const Preparing&) { return std::optional<base::SteadyTime>(); },
                        [](const Connecting& connecting) { return std::optional(connecting.give_up); },
                        [](const LoggingIn& logging_in) { return std::optional(logging_in.give_up); },
                        [](const Backoff& backoff) { return std::optional(backoff.until); },
                        [&](const LoggedIn&) { return window(); },
                        [&](const Resting&) { return window(); },
                    },
                    state_);
}

std::optional<base::SteadyTime> Connection::deadline_of(Due what, Now now) const {
  switch (what) {
    case Due::end_by_silence: return is_up_ ? session_.silence_deadline() : std::nullopt;
    case Due::keepalive: return is_up_ ? session_.keepalive_due(config_.server.keepalive) : std::nullopt;
    case Due::state: return state_deadline(now);
  }
  return std::nullopt;
}

void Connection::keep_alive(Now now, Outbox& out) {
  if (logins_.is_behind_game && !logins_.spoke) {
    logins_.spoke = now.steady;
  }
  send(session_.keepalive(now.steady), out);
}

bool Connection::leave_state(Now now, Outbox& out) {
  if (is<LoggedIn>()) {
    rest(now, out);
    return false;
  }
  if (is<Resting>()) {
    const auto closing = schedule_.next_change(now.wall);
    out.info("window_opened", closing
                                  ? say("the window of schedule.windows opens, until {}", schedule_.describe(*closing))
                                  : say("the window of schedule.windows opens"));
    prepare(out);
    return true;
  }
  if (is<Backoff>()) {
    prepare(out);
    return true;
  }
  const bool was_connecting = is<Connecting>();
  close(out);
  back_off(was_connecting ? say("no connection within the time of server.connect_timeout")
                          : say("no answer to LOGIN within the time of server.login_timeout"),
           now, out);
  return false;
}

// --- the way back

void Connection::seek_back(const csa::GameSummary& game, Now now) {
  way_back_ = WayBack{game.game_id, *game.reconnect_token, now.steady + rejoin_window};
}

}  // namespace kakehashi::bridge
