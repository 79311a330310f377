#include "rehearsal/server.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi::rehearsal {
namespace {

constexpr base::Seconds login_idle_max{300};
constexpr base::Seconds poll_interval{60};
constexpr base::Seconds poll_interval_with_deferred{1};

bool is_due(const std::optional<base::SteadyTime>& deadline, base::SteadyTime now) {
  return deadline && *deadline <= now;
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

}  // namespace kakehashi::rehearsal
