#include "sim/network.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/overload.hpp"

namespace kakehashi::sim {

using base::Millis;
using rehearsal::ConnectionId;
using How = bridge::ServerClosed::How;
using namespace std::chrono_literals;

namespace {

/// Segments are cut at any line, as TCP likes: one in so many lines ends one.
constexpr std::size_t lines_a_segment = 12;

ConnectionId connection_of(LineId id) { return ConnectionId{static_cast<std::uint64_t>(id)}; }
LineId line_of(ConnectionId id) { return LineId{static_cast<std::uint64_t>(id)}; }

}  // namespace

base::Now now_at(Millis at, Millis wall_shift) {
  // As on the stage of the golden scripts: far from zero, 2026-01-02 03:04:05 UTC.
  constexpr base::SteadyTime steady{std::chrono::hours(1000)};
  constexpr base::WallTime wall{std::chrono::sys_days{std::chrono::year{2026} / 1 / 2} + 3h + 4min +
                                5s};
  return {steady + at, wall + at + wall_shift};
}

Network::Network(Agenda& agenda, const Scenario& scenario, ReportSink sink)
    : agenda_(agenda),
      dice_(scenario.seed, 2),
      settings_(scenario.server),
      seed_(scenario.seed),
      game_name_(scenario.game_name),
      prepared_moves_(scenario.prepared_moves),
      server_(scenario.server, scenario.seed),
      sink_(std::move(sink)) {
  prepare_start();
}

/// By an organiser's connection, which is gone before anybody else's.
void Network::prepare_start() {
  if (prepared_moves_.empty()) {
    return;
  }
  constexpr ConnectionId organiser{~std::uint64_t{0}};
  constexpr const char* games = " 1000000";
  static_cast<void>(server_.connected(organiser, now()));
  static_cast<void>(server_.on_line(organiser, "LOGIN organiser pw x1", now()));
  const auto answer =
      server_.on_line(organiser, "%%SETBUOY " + game_name_ + " " + prepared_moves_ + games, now());
  const auto* told = answer.orders.empty() ? nullptr : std::get_if<rehearsal::SendLine>(&answer.orders.front());
  KAKEHASHI_CHECK(told != nullptr && told->line == "##[SETBUOY] +OK", "the server takes the prepared start");
  static_cast<void>(server_.on_closed(organiser, now()));
}

base::Now Network::now() const { return now_at(agenda_.at()); }

Network::Line* Network::find(LineId id) {
  const auto found = lines_.find(id);
  return found == lines_.end() ? nullptr : &found->second;
}

Millis Network::delay_of(const Line& line) {
  return line.delays.latency + (line.delays.jitter_max.count() == 0
                                    ? Millis{0}
                                    : dice_.millis(0, line.delays.jitter_max.count()));
}

LineId Network::connect(Client& client, const Delays& delays) {
  const LineId id{++count_};
  Line& line = lines_[id];
  line.client = &client;
  line.delays = delays;
  agenda_.put_after(2 * delay_of(line), [this, id] {
    Line* up = find(id);
    if (up == nullptr || up->client == nullptr) {
      lines_.erase(id);
      return;
    }
    up->is_up = true;
    perform(server_.connected(connection_of(id), now()));
    if (Line* still = find(id); still != nullptr && still->client != nullptr) {
      still->client->on_connected();
    }
  });
  return id;
}

void Network::write(LineId id, std::string text) {
  Line* line = find(id);
  if (line == nullptr || line->client == nullptr || line->is_dead) {
    return;
  }
  line->up_at = std::max(line->up_at, agenda_.at() + delay_of(*line));
  agenda_.put(line->up_at, [this, id, text = std::move(text)] {
    if (const Line* up = find(id); up != nullptr && up->is_up) {
      perform(server_.on_line(connection_of(id), text, now()));
    }
  });
}

void Network::close(LineId id) {
  Line* line = find(id);
  if (line == nullptr) {
    return;
  }
  line->client = nullptr;
  line->down.clear();
  if (!line->is_up) {
    lines_.erase(id);
    return;
  }
  if (line->is_dead) {
    return;
  }
  line->up_at = std::max(line->up_at, agenda_.at() + delay_of(*line));
  agenda_.put(line->up_at, [this, id] { tell_server_closed(id); });
}

void Network::tell_server_closed(LineId id) {
  if (const Line* line = find(id); line != nullptr) {
    const bool is_up = line->is_up;
    lines_.erase(id);
    if (is_up) {
      perform(server_.on_closed(connection_of(id), now()));
    }
  }
}

void Network::cut(LineId id, const std::string& why, Millis server_notices_after) {
  Line* line = find(id);
  if (line == nullptr || line->client == nullptr) {
    return;
  }
  Client* client = std::exchange(line->client, nullptr);
  line->is_dead = true;
  line->down.clear();
  agenda_.put_after(server_notices_after, [this, id] { tell_server_closed(id); });
  client->on_closed(How::broken, why);
}

void Network::go_dead(LineId id, Millis client_notices_after, Millis server_notices_after) {
  Line* line = find(id);
  if (line == nullptr || line->client == nullptr || line->is_dead) {
    return;
  }
  line->is_dead = true;
  line->down.clear();
  agenda_.put_after(client_notices_after, [this, id] {
    Line* dead = find(id);
    if (dead == nullptr || dead->client == nullptr) {
      return;
    }
    std::exchange(dead->client, nullptr)->on_closed(How::broken, "Connection timed out");
  });
  // Not before the client has noticed: its line would be gone from the books.
  agenda_.put_after(std::max(client_notices_after, server_notices_after),
                    [this, id] { tell_server_closed(id); });
}

void Network::inject(LineId id, std::string text) {
  if (Line* line = find(id); line != nullptr && line->is_up && !line->is_dead) {
    line->down_at = std::max(line->down_at, agenda_.at());
    line->down.push_back({line->down_at, std::move(text)});
    agenda_.put(line->down_at, [this, id] { deliver(id); });
  }
}

void Network::hold(LineId id, Millis delay) {
  if (Line* line = find(id); line != nullptr) {
    line->down_at = std::max(line->down_at, agenda_.at() + delay);
  }
}

void Network::restart_server() {
  server_ = rehearsal::Server(settings_, ++seed_);
  prepare_start();
  armed_.reset();
  std::vector<LineId> ids;
  for (const auto& [id, line] : lines_) {
    if (line.is_up) {
      ids.push_back(id);
    }
  }
  for (const LineId id : ids) {
    Line* line = find(id);
    Client* client = line == nullptr ? nullptr : line->client;
    lines_.erase(id);
    if (client != nullptr) {
      client->on_closed(How::eof, "the server closed the connection");
    }
  }
}

void Network::perform(rehearsal::Output output) {
  for (const rehearsal::GameReport& report : output.reports) {
    sink_(report);
  }
  for (rehearsal::Order& order : output.orders) {
    std::visit(base::Overload{
                   [&](rehearsal::SendLine& send) {
                     const LineId id = line_of(send.to);
                     if (Line* line = find(id);
                         line != nullptr && line->client != nullptr && !line->is_dead) {
                       line->down_at = std::max(line->down_at, agenda_.at() + delay_of(*line));
                       const bool is_first = line->down.empty() ||
                                             line->down.back().at != line->down_at;
                       line->down.push_back({line->down_at, std::move(send.line),
                                             dice_.one_in(lines_a_segment)});
                       if (is_first) {
                         agenda_.put(line->down_at, [this, id] { deliver(id); });
                       }
                     }
                   },
                   [&](const rehearsal::CloseConnection& close) {
                     const LineId id = line_of(close.connection);
                     Line* line = find(id);
                     if (line == nullptr) {
                       return;
                     }
                     line->is_up = false;
                     if (line->client == nullptr || line->is_dead) {
                       return;
                     }
                     line->down_at = std::max(line->down_at, agenda_.at() + delay_of(*line));
                     line->down.push_back({line->down_at, "", true, true});
                     agenda_.put(line->down_at, [this, id] { deliver(id); });
                   }},
               order);
  }
  arm();
}

void Network::deliver(LineId id) {
  while (Line* line = find(id)) {
    if (line->client == nullptr || line->down.empty() || line->down.front().at > agenda_.at()) {
      return;
    }
    const Downward next = std::move(line->down.front());
    line->down.pop_front();
    Client& client = *line->client;
    if (next.closes) {
      lines_.erase(id);
      client.on_closed(How::eof, "end of file");
      return;
    }
    const bool more = !next.ends_segment && !line->down.empty() && !line->down.front().closes &&
                      line->down.front().at <= agenda_.at();
    client.on_line(next.line, more);
  }
}

void Network::arm() {
  const auto deadline = server_.next_deadline();
  if (!deadline) {
    armed_.reset();
    return;
  }
  const Millis due = std::max(
      agenda_.at(), std::chrono::ceil<Millis>(*deadline - now_at(Millis{0}).steady));
  if (armed_ && *armed_ <= due) {
    return;  // it looks again when it wakes
  }
  wake(due);
}

void Network::wake(Millis at) {
  armed_ = at;
  agenda_.put(at, [this, at] {
    if (armed_ != at) {
      return;
    }
    armed_.reset();
    perform(server_.on_timer(now()));
  });
}

}  // namespace kakehashi::sim
