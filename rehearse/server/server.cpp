#include "rehearse/server/server.hpp"

#include <chrono>

#include "base/overload.hpp"
#include "base/text.hpp"

namespace kakehashi::rehearse::server {
namespace {

using Standing = Session::Standing;

/// A session that has been silent for so long in mid-game gives way to a new login.
constexpr std::chrono::hours stale_session_age{24};

std::string not_in_status(Status status, const char* command, const char* valid) {
  return std::string("you are in ") + status_word(status) + " status. " + command + " is valid in " + valid +
         " status";
}

/// '+', '-': a color; '*': either. Nothing on anything else.
std::optional<ColorWish> parse_turn(std::string_view text) {
  if (text == "*") {
    return ColorWish();
  }
  if (text == "+") {
    return ColorWish(shogi::Color::black);
  }
  if (text == "-") {
    return ColorWish(shogi::Color::white);
  }
  return std::nullopt;
}

/// A move, a declaration or a resignation by its looks: judged, or kept until the turn comes.
bool is_for_the_board(std::string_view line) {
  return line.size() >= 2 && line[1] != '%' &&
         (line[0] == '+' || line[0] == '-' || line[0] == '%');
}

}  // namespace

Server::Server(Settings settings, std::uint64_t seed)
    : settings_(std::move(settings)), lobby_(settings_, seed), games_(settings_.late_time_up) {}

Output Server::connected(ConnectionId id, base::Now now) {
  now_ = now;
  if (!sessions_.open(id, now.steady)) {
    output_.orders.emplace_back(CloseConnection{id});
  }
  return finish_output();
}

Output Server::on_line(ConnectionId id, std::string_view line, base::Now now) {
  now_ = now;
  take_due_games();
  Session* session = sessions_.find(id);
  if (session != nullptr && session->standing != Standing::refused) {
    const auto silence = base::millis_between(session->last_line_at, now.steady);
    session->last_line_at = now.steady;
    if (!settings_.is_strict || !forbid(*session, line, silence)) {
      take(*session, std::string(line));
    }
  }
  return finish_output();
}

Output Server::on_closed(ConnectionId id, base::Now now) {
  now_ = now;
  forget(id);
  // It can be told nothing any more, the result of its game neither.
  std::erase_if(output_.orders, [id](const Order& order) {
    const auto* line = std::get_if<SendLine>(&order);
    return line != nullptr && line->to == id;
  });
  return finish_output();
}

Output Server::on_timer(base::Now now) {
  now_ = now;
  take_due_games();
  take_due_polls();
  for (auto& pairing : lobby_.pair_at_tick(now)) {
    perform(games_.begin(std::move(pairing), now));
  }
  return finish_output();
}

std::optional<base::SteadyTime> Server::next_deadline() const {
  auto next = base::earlier(base::earlier(lobby_.next_tick(), games_.next_deadline()), sessions_.next_poll());
  if (settings_.is_strict) {
    for (const auto* session : sessions_.players()) {
      if (status_of(*session) == Status::connected && session->login_wish && session->rests_until > now_.steady) {
        next = base::earlier(next, session->rests_until);
      }
    }
  }
  return next;
}

/// shogi-server's loop for one client. On a player's own turn every input, polls included, queues
/// up behind the lines that came too early, and the foremost is taken.
void Server::take(Session& session, Input input) {
  const auto id = session.player.id;
  if (session.standing == Standing::finished) {
    close(id);
    return;
  }
  if (is_turn(session)) {
    session.deferred.push_back(std::move(input));
    input = std::move(session.deferred.front());
    session.deferred.pop_front();
  }
  if (!input) {
    poll(session);
  } else if (session.standing == Standing::before_login) {
    log_in(session, *input);
  } else {
    command(session, *input);
  }
  if (auto* still = sessions_.find(id); still != nullptr) {
    if (still->deferred.size() > deferred_max) {
      close(id);
    } else {
      still->set_poll(now_.steady);
    }
  }
}

/// What shogi-server does when a client has been silent for a while.
void Server::poll(const Session& session) {
  switch (session.standing) {
    case Standing::before_login:
    case Standing::refused:
    case Standing::finished:
      close(session.player.id);
      return;
    case Standing::admitted:
      // Only the mover's own silence ends a game.
      if (is_turn(session)) {
        perform(games_.look_at_clock(session.player.id, now_));
      }
      return;
  }
}

void Server::take_due_polls() {
  // Each poll sets the next one into the future, so this ends.
  while (auto* session = sessions_.due_poll(now_.steady)) {
    take(*session, std::nullopt);
  }
}

/// A deadline of a game itself has passed: the agreement's, or the mover's.
void Server::take_due_games() {
  while (auto output = games_.expire_one(now_)) {
    perform(std::move(*output));
  }
}

void Server::close(ConnectionId id) {
  forget(id);
  // After forget(), which may still have a result to send to this very client.
  output_.orders.emplace_back(CloseConnection{id});
}

void Server::forget(ConnectionId id) {
  if (const auto* session = sessions_.find(id); session != nullptr) {
    lobby_.leave(session->player);
    perform(games_.leave(id));
    sessions_.close(id);
  }
}

Status Server::status_of(const Session& session) const {
  switch (session.standing) {
    case Standing::before_login:
      return Status::before_login;
    case Standing::refused:
      return Status::refused;
    case Standing::finished:
      return Status::finished;
    case Standing::admitted:
      break;
  }
  if (const auto side = games_.side_of(session.player.id)) {
    return side->status;
  }
  return lobby_.wish_of(session.player) != nullptr ? Status::game_waiting : Status::connected;
}

bool Server::is_turn(const Session& session) const {
  const auto side = games_.side_of(session.player.id);
  return side && side->is_turn;
}

void Server::send(ConnectionId to, std::string line) {
  output_.orders.emplace_back(SendLine{to, std::move(line)});
}

void Server::send_error(const Session& session, const std::string& what) {
  send(session.player.id, "##[ERROR] " + what);
}

void Server::perform(GamesOutput output) {
  for (auto& line : output.lines) {
    output_.orders.emplace_back(std::move(line));
  }
  for (auto& report : output.reports) {
    output_.reports.push_back(std::move(report));
  }
  for (const auto& released : output.released) {
    release(released);
  }
}

Output Server::finish_output() {
  if (settings_.is_strict) {
    wait_for_next_games();
  }
  lobby_.begin_ticks(now_);
  return std::exchange(output_, {});
}

// --- from the login to a game, and back

void Server::log_in(Session& session, std::string_view line) {
  auto parse = parse_login(line);
  if (!parse.login) {
    send(session.player.id, "LOGIN:incorrect");
    if (parse.wants_explanation) {
      send(session.player.id, "type 'LOGIN name password' or 'LOGIN name password x1'");
    }
    return;
  }
  auto& login = *parse.login;
  if (!admit(session, login, parse.wants_explanation)) {
    session.refuse(now_.steady);
    return;
  }
  const auto form = login.form;
  sessions_.admit(session, std::move(login));
  send(session.player.id, "LOGIN:" + session.player.name + " OK");
  switch (form) {
    case LoginForm::x1:
      send(session.player.id, "##[LOGIN] +OK x1");
      return;
    case LoginForm::csa:
      wait_for_game(session, *session.login_wish);
      return;
  }
}

/// Whether it may come in; who has its name may be thrown out for it.
bool Server::admit(const Session& session, const Login& login, bool explains) {
  for (const auto* other : sessions_.players()) {
    if (other->player.name != login.name) {
      continue;
    }
    const bool is_playing = status_of(*other) == Status::game &&
                            now_.steady - other->last_line_at <= stale_session_age;
    if (other->player.trip == login.trip && !is_playing) {
      close(other->player.id);
      return true;
    }
    send(session.player.id, "LOGIN:incorrect");
    if (explains && other->player.trip == login.trip) {
      send(session.player.id, "username " + login.name + " is already connected");
    }
    return false;
  }
  return true;
}

void Server::wait_for_game(const Session& session, const GameWish& wish) {
  auto answer = lobby_.wait(session.player, wish, now_);
  std::visit(base::Overload{[](Lobby::Waits&) {},
                            [this](Pairing& pairing) { perform(games_.begin(std::move(pairing), now_)); },
                            [&](Lobby::Refused& refused) { send_error(session, refused.why); }},
             answer);
}

void Server::play(Session& session, const std::string& line) {
  const auto id = session.player.id;
  const auto side = games_.side_of(id);
  if (!side || side->status != Status::game || games_.is_repeated(id, line)) {
    return;
  }
  if (!side->is_turn) {
    session.deferred.emplace_back(line);
    return;
  }
  perform(games_.play(id, line, now_));
}

/// A CSA-mode client stays open after its game, silently, until its next input or poll; who has ended the game is closed
/// at once.
void Server::release(const Released& released) {
  auto* session = sessions_.find(released.player);
  if (session == nullptr) {
    return;
  }
  const bool stays = session->player.form != LoginForm::csa || settings_.is_strict;
  session->deferred.clear();
  session->standing = stays ? Standing::admitted : Standing::finished;
  session->rests_until = now_.steady + strict_rest;
  session->may_cross = stays;
  if (!stays && released.has_ended_it) {
    close(released.player);
  }
}

// --- the words that a client may say: the protocol's and shogi-server's own "%%" commands

void Server::command(Session& session, const std::string& line) {
  const auto id = session.player.id;
  if (line.empty()) {
    send(id, "");
    poll(session);
  } else if (line == " ") {
    poll(session);
  } else if (is_for_the_board(line)) {
    play(session, line);
  } else if (line.starts_with("AGREE") || line.starts_with("REJECT")) {
    if (const auto status = status_of(session); status != Status::agree_waiting) {
      // The word is AGREE for a REJECT too.
      send_error(session, not_in_status(status, "AGREE", "agree_waiting"));
    } else {
      perform(line.starts_with("AGREE") ? games_.agree(id, now_) : games_.reject(id));
    }
  } else if (line.starts_with("LOGOUT")) {
    send(id, "LOGOUT:completed");
    close(id);
  } else if (line.starts_with("CHALLENGE")) {
    // Only for clients of the association's test server: it means nothing here.
    send(id, "CHALLENGE ACCEPTED");
  } else if (line.starts_with("%%") && !line.starts_with("%%%")) {
    extended_command(session, line);
  } else if (!base::trim(line).empty() && !line.starts_with("%%%")) {
    send_error(session, "unknown command: " + line);
  }
}

void Server::extended_command(const Session& session, const std::string& line) {
  const auto words = base::split_words(line);
  const auto word = words[0];
  if (word == "%%GAME") {
    game_command(session, words);
  } else if (word == "%%CHAT" && words.size() >= 2) {
    chat(session, line.substr(static_cast<std::size_t>(words[1].data() - line.data())));
  } else {
    send_error(session, "unknown command: " + line);
  }
}

/// CSA-mode clients are spared what they do not expect.
void Server::chat(const Session& session, const std::string& message) {
  for (const auto* other : sessions_.players()) {
    if (other->player.form != LoginForm::csa) {
      send(other->player.id, "##[CHAT][" + session.player.name + "] " + message);
    }
  }
}

void Server::game_command(const Session& session, const std::vector<std::string_view>& words) {
  const auto status = status_of(session);
  const bool may_wait = status == Status::connected || status == Status::game_waiting;
  if (words.size() >= 2 && !parse_game_name(words[1])) {
    send_error(session, "bad game name");
  } else if (!may_wait) {
    send_error(session, not_in_status(status, "GAME", "connected or game_waiting"));
  } else if (words.size() == 1) {
    lobby_.leave(session.player);
  } else if (const auto turn = words.size() == 3 ? parse_turn(words[2]) : std::nullopt; turn) {
    wait_for_game(session, {*parse_game_name(words[1]), *turn});
  } else {
    send_error(session, "A turn identifier is required");
  }
}

// --- what a strict server does about a breach of the protocol, and how its clients come to the next game

/// Whether the line was a breach, which is dealt with then.
bool Server::forbid(Session& session, std::string_view line, base::Millis silence) {
  const auto id = session.player.id;
  if (session.standing == Standing::before_login) {
    const bool is_good = is_strict_login(line);
    if (!is_good) {
      send(id, "LOGIN:incorrect");
      close(id);
    }
    return !is_good;
  }
  StrictView view{status_of(session)};
  if (view.status == Status::connected && is_strict_action(line) &&
      std::exchange(session.may_cross, false)) {
    return true;  // it has crossed with the end of the game, and counts no more
  }
  view.silence = silence;
  if (const auto side = games_.side_of(id)) {
    view.is_turn = side->is_turn;
    view.game_id = side->game_id;
  }
  if (!is_strict_fault(line, view)) {
    return false;
  }
  if (view.status == Status::game) {
    perform(games_.foul(id, line));
  } else {
    close(id);
  }
  return true;
}

/// The connection outlives the game, and whoever was not closed waits again after a rest.
void Server::wait_for_next_games() {
  for (const auto* session : sessions_.players()) {
    if (status_of(*session) == Status::connected && session->login_wish && session->rests_until <= now_.steady) {
      wait_for_game(*session, *session->login_wish);
    }
  }
}

}  // namespace kakehashi::rehearse::server
