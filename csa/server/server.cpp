#include "csa/server/server.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "csa/server/strict.hpp"

namespace kakehashi::csa::server {
namespace {

constexpr base::Seconds login_idle_max{300};
constexpr base::Seconds poll_interval{60};
constexpr base::Seconds poll_interval_with_deferred{1};

bool is_due(const std::optional<base::SteadyTime>& deadline, base::SteadyTime now) {
  return deadline && *deadline <= now;
}

constexpr base::Seconds refused_linger{3};
/// A session that has been silent for so long in mid-game gives way to a new login.
constexpr std::chrono::hours stale_session_age{24};

std::string not_in_status(const Session& session, const char* command, const char* valid) {
  return std::string("you are in ") + status_word(session.status) + " status. " + command +
         " is valid in " + valid + " status";
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

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

}  // namespace

Server::Server(Settings settings, std::uint64_t seed)
    : settings_(std::move(settings)), random_state_(seed) {}

Output Server::connected(ConnectionId id, base::Now now) {
  now_ = now;
  if (sessions_.size() == connections_max) {
    output_.orders.emplace_back(CloseConnection{id});
    return finish_output();
  }
  Session session;
  session.id = id;
  session.last_line_at = now.steady;
  set_poll(sessions_.emplace(id, std::move(session)).first->second);
  return finish_output();
}

Output Server::on_line(ConnectionId id, std::string_view line, base::Now now) {
  now_ = now;
  take_due_games();
  Session* session = find(id);
  if (session != nullptr && session->status != Status::refused) {
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
  auto* session = find(id);
  if (session != nullptr && session->table != nullptr) {
    // It can be told nothing any more.
    session->table->seats[static_cast<std::size_t>(session->side)].reset();
  }
  forget(id);
  return finish_output();
}

Output Server::on_timer(base::Now now) {
  now_ = now;
  take_due_games();
  take_due_polls();
  if (is_due(next_floodgate_, now.steady)) {
    pair_floodgate();
  }
  return finish_output();
}

std::optional<base::SteadyTime> Server::next_deadline() const {
  auto earliest = next_floodgate_;
  const auto consider = [&earliest](std::optional<base::SteadyTime> deadline) {
    if (deadline && (!earliest || *deadline < *earliest)) {
      earliest = deadline;
    }
  };
  for (const auto& [id, session] : sessions_) {
    consider(session.poll_at);
    if (settings_.is_strict && session.status == Status::connected && session.login_wish &&
        session.rests_until > now_.steady) {
      consider(session.rests_until);
    }
  }
  for (const auto& table : tables_) {
    if (!table.room.is_playing()) {
      consider(table.agree_by);
    } else if (!settings_.late_time_up) {
      consider(table.room.expiry());
    }
  }
  return earliest;
}

/// shogi-server's loop for one client. On a player's own turn every input, polls included, queues
/// up behind the lines that came too early, and the foremost is taken.
void Server::take(Session& session, Input input) {
  const auto id = session.id;
  if (session.status == Status::finished) {
    close(id);
    return;
  }
  if (session.table != nullptr && session.table->room.is_turn(session.side)) {
    session.deferred.push_back(std::move(input));
    input = std::move(session.deferred.front());
    session.deferred.pop_front();
  }
  if (!input) {
    poll(session);
  } else if (session.status == Status::before_login) {
    log_in(session, *input);
  } else {
    command(session, *input);
  }
  if (auto* still = find(id); still != nullptr) {
    if (still->deferred.size() > deferred_max) {
      close(id);
    } else {
      set_poll(*still);
    }
  }
}

void Server::take_due_polls() {
  const auto earlier = [](const auto& a, const auto& b) {
    return a.second.poll_at < b.second.poll_at;
  };
  // Each poll sets the next one into the future, so this ends.
  while (!sessions_.empty()) {
    auto& session = std::min_element(sessions_.begin(), sessions_.end(), earlier)->second;
    if (session.poll_at > now_.steady) {
      return;
    }
    take(session, std::nullopt);
  }
}

void Server::take_due_games() {
  std::vector<Table*> due;
  for (auto& table : tables_) {
    const bool is_over = table.room.is_playing()
                             ? !settings_.late_time_up && is_due(table.room.expiry(), now_.steady)
                             : table.agree_by <= now_.steady;
    if (is_over) {
      due.push_back(&table);
    }
  }
  for (auto* table : due) {
    expire(*table);
  }
}

void Server::set_poll(Session& session) {
  switch (session.status) {
    case Status::before_login:
      session.poll_at = now_.steady + login_idle_max;
      return;
    case Status::refused:
      return;
    case Status::connected:
    case Status::game_waiting:
    case Status::agree_waiting:
    case Status::start_waiting:
    case Status::game:
    case Status::finished:
      session.poll_at = now_.steady + (session.deferred.empty() ? poll_interval
                                                                : poll_interval_with_deferred);
      return;
  }
}

void Server::close(ConnectionId id) {
  forget(id);
  // After forget(), which may still have a result to send to this very client.
  output_.orders.emplace_back(CloseConnection{id});
}

void Server::forget(ConnectionId id) {
  auto* session = find(id);
  if (session == nullptr) {
    return;
  }
  for (auto& table : tables_) {
    table.board_watchers.erase(id);
    table.record_watchers.erase(id);
  }
  leave_table(*session);
  sessions_.erase(id);
}

Session* Server::find(ConnectionId id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : &found->second;
}

std::vector<Session*> Server::players() {
  std::vector<Session*> found;
  for (auto& [id, session] : sessions_) {
    if (session.status != Status::before_login && session.status != Status::refused) {
      found.push_back(&session);
    }
  }
  std::sort(found.begin(), found.end(), [](const Session* a, const Session* b) {
    return a->login_order < b->login_order;
  });
  return found;
}

void Server::send(ConnectionId to, std::string line) {
  output_.orders.emplace_back(SendLine{to, std::move(line)});
}

void Server::send_error(const Session& session, const std::string& what) {
  send(session.id, "##[ERROR] " + what);
}

Output Server::finish_output() {
  if (settings_.is_strict) {
    wait_for_next_games();
  }
  if (settings_.floodgate_interval && !next_floodgate_) {
    plan_floodgate();
  }
  return std::exchange(output_, {});
}

// --- logging in: who is admitted, who is thrown out for it, who is refused

void Server::log_in(Session& session, std::string_view line) {
  auto parse = parse_login(line);
  if (!parse.login) {
    send(session.id, "LOGIN:incorrect");
    if (parse.refusal.wants_explanation) {
      send(session.id, "type 'LOGIN name password' or 'LOGIN name password x1'");
    }
    return;
  }
  auto& login = *parse.login;
  if (!admit(session, login, parse.refusal.wants_explanation)) {
    refuse(session);
    return;
  }
  session.status = Status::connected;
  session.name = std::move(login.name);
  session.form = login.form;
  session.trip = std::move(login.trip);
  session.login_order = ++logins_;
  send(session.id, "LOGIN:" + session.name + " OK");
  switch (session.form) {
    case LoginForm::x1:
      send(session.id, "##[LOGIN] +OK x1");
      return;
    case LoginForm::csa:
      session.login_wish = login.wish;
      wait_for_game(session, login.wish, false);
      return;
  }
}

bool Server::admit(const Session& session, const Login& login, bool explains) {
  for (auto* other : players()) {
    if (other->name != login.name) {
      continue;
    }
    const bool is_playing = other->status == Status::game &&
                            now_.steady - other->last_line_at <= stale_session_age;
    if (other->trip == login.trip && !is_playing) {
      close(other->id);
      return true;
    }
    send(session.id, "LOGIN:incorrect");
    if (explains && other->trip == login.trip) {
      send(session.id, "username " + login.name + " is already connected");
    }
    return false;
  }
  return true;
}

void Server::refuse(Session& session) {
  session.status = Status::refused;
  session.poll_at = now_.steady + refused_linger;
}

// --- the words that a client may say: the protocol's and shogi-server's own "%%" commands

void Server::command(Session& session, const std::string& line) {
  if (line.empty()) {
    send(session.id, "");
    poll(session);
  } else if (line == " ") {
    poll(session);
  } else if (is_for_the_board(line)) {
    play(session, line);
  } else if (line.starts_with("AGREE") || line.starts_with("REJECT")) {
    if (session.status != Status::agree_waiting) {
      // The word is AGREE for a REJECT too.
      send_error(session, not_in_status(session, "AGREE", "agree_waiting"));
    } else if (line.starts_with("AGREE")) {
      agree(session);
    } else {
      reject(session);
    }
  } else if (line.starts_with("LOGOUT")) {
    log_out(session);
  } else if (line.starts_with("CHALLENGE")) {
    // Only for clients of the association's test server: it means nothing here.
    send(session.id, "CHALLENGE ACCEPTED");
  } else if (line.starts_with("%%") && !line.starts_with("%%%")) {
    extended_command(session, line);
  } else if (!is_blank(line) && !line.starts_with("%%%")) {
    send_error(session, "unknown command: " + line);
  }
}

void Server::log_out(Session& session) {
  const auto id = session.id;
  send(id, "LOGOUT:completed");
  close(id);
}

void Server::extended_command(Session& session, const std::string& line) {
  const auto words = base::split_words(line);
  const auto word = words[0];
  const bool has_argument = words.size() >= 2;
  if (word == "%%GAME" || word == "%%CHALLENGE") {
    game_command(session, words);
  } else if ((word == "%%SETBUOY" && words.size() >= 3) ||
             ((word == "%%DELETEBUOY" || word == "%%GETBUOYCOUNT") && has_argument)) {
    buoy_command(session, words);
  } else if (word == "%%CHAT" && has_argument) {
    chat(session, line.substr(static_cast<std::size_t>(words[1].data() - line.data())));
  } else if (word.starts_with("%%MONITOR") && has_argument) {
    watch_command(session, words[0], words[1]);
  } else if (word == "%%HELP") {
    send(session.id,
         "##[HELP] available commands \"%%WHO\", \"%%CHAT str\", \"%%GAME game_name +\", "
         "\"%%GAME game_name -\"");
  } else if (!look_command(session, words)) {
    send_error(session, "unknown command: " + line);
  }
}

/// CSA-mode clients are spared what they do not expect.
void Server::chat(const Session& session, const std::string& message) {
  for (const auto* player : players()) {
    if (player->form != LoginForm::csa) {
      send(player->id, "##[CHAT][" + session.name + "] " + message);
    }
  }
}

void Server::game_command(Session& session, const std::vector<std::string_view>& words) {
  const bool may_wait =
      session.status == Status::connected || session.status == Status::game_waiting;
  if (words.size() >= 2 && !parse_game_name(words[1])) {
    send_error(session, "bad game name");
  } else if (!may_wait) {
    send_error(session, not_in_status(session, "GAME", "connected or game_waiting"));
  } else if (words.size() == 1) {
    stop_waiting(session);
  } else if (const auto turn = words.size() == 3 ? parse_turn(words[2]) : std::nullopt; turn) {
    wait_for_game(session, {*parse_game_name(words[1]), *turn}, words[0] == "%%CHALLENGE");
  } else {
    send_error(session, "A turn identifier is required");
  }
}

void Server::buoy_command(Session& session, const std::vector<std::string_view>& words) {
  std::optional<std::string> problem;
  if (words[0] == "%%SETBUOY") {
    problem = buoys_.set(words[1], words[2], words.size() > 3 ? words[3] : "", session.name);
  } else if (words[0] == "%%DELETEBUOY") {
    problem = buoys_.remove(words[1], session.name);
  } else {
    send(session.id, "##[GETBUOYCOUNT] " + std::to_string(buoys_.count(words[1])));
  }
  if (problem) {
    send_error(session, *problem);
  } else {
    send(session.id, "##[" + std::string(words[0].substr(2)) + "] +OK");
  }
}

// --- what a strict server does about a breach of the protocol, and how its clients come to the next game

/// Whether the line was a breach, which is dealt with then.
bool Server::forbid(Session& session, std::string_view line, base::Millis silence) {
  const auto id = session.id;
  if (session.status == Status::before_login) {
    const bool is_good = is_strict_login(line);
    if (!is_good) {
      send(id, "LOGIN:incorrect");
      close(id);
    }
    return !is_good;
  }
  if (session.status == Status::connected && is_strict_action(line) &&
      std::exchange(session.may_cross, false)) {
    return true;  // it has crossed with the end of the game, and counts no more
  }
  StrictView view{session.status};
  view.silence = silence;
  if (session.table != nullptr) {
    view.is_turn = session.table->room.is_turn(session.side);
    view.game_id = session.table->room.setup().id;
  }
  if (!strict_fault(line, view)) {
    return false;
  }
  if (session.status == Status::game && session.table != nullptr) {
    perform(*session.table, session.table->room.foul(session.side, line, now_));
  } else {
    close(id);
  }
  return true;
}

/// The connection outlives the game, and whoever was not closed waits again after a rest.
void Server::wait_for_next_games() {
  for (auto* player : players()) {
    if (player->status == Status::connected && player->login_wish &&
        player->rests_until <= now_.steady) {
      wait_for_game(*player, *player->login_wish, false);
    }
  }
}

}  // namespace kakehashi::csa::server
