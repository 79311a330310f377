#include "sim/network.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/overload.hpp"
#include "base/text.hpp"
#include "rehearse/server/game_name.hpp"

namespace kakehashi::sim {

using base::Millis;
using rehearse::server::ConnectionId;
using How = bridge::ServerClosed::How;
using namespace std::chrono_literals;

namespace {

/// Segments are cut at any line, as TCP likes: one in so many lines ends one.
constexpr std::size_t lines_a_segment = 12;
/// What one read takes of a line that is long: more than a segment of Ethernet, less than the longest line.
constexpr std::size_t piece_bytes = 16'384;

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
      scenario_(scenario),
      seed_(scenario.seed),
      server_(make_server()),
      sink_(std::move(sink)) {
  prepare_start();
}

std::variant<rehearse::server::Server, OtherServer> Network::make_server() const {
  if (scenario_.is_other_server) {
    return OtherServer(rehearse::server::parse_game_name(scenario_.game_name)->clock,
                       scenario_.server.max_moves, seed_ % 1'000);
  }
  return rehearse::server::Server(scenario_.server, seed_);
}

/// Each move may have its time: "+7776FU-3334FU,T5".
void Network::prepare_start() {
  if (scenario_.prepared_moves.empty()) {
    return;
  }
  constexpr std::size_t move_bytes = 7;
  rehearse::server::Arrangement next;
  next.start = shogi::Position::startpos();
  for (std::string_view left = scenario_.prepared_moves; !left.empty();) {
    const std::string_view move = left.substr(0, left.find_first_of("+-", 1));
    rehearse::server::ListedMove listed{std::string(move.substr(0, move_bytes))};
    if (move.size() > move_bytes) {
      listed.seconds = base::parse_int(move.substr(move_bytes + 2)).value();
    }
    next.moves.push_back(std::move(listed));
    left.remove_prefix(move.size());
  }
  std::get<rehearse::server::Server>(server_).arrange(std::move(next));
}

base::Now Network::now() const { return now_at(agenda_.at()); }

Network::Line* Network::find(LineId id) {
  const auto found = lines_.find(id);
  return found == lines_.end() ? nullptr : &found->second;
}

Millis Network::delay_of(const Line& line) {
  const Delays& delays = line.way->delays();
  return delays.latency + (delays.jitter_max.count() == 0 ? Millis{0}
                                                          : dice_.millis(0, delays.jitter_max.count()));
}

Millis Network::next_arrival(Line& line, Way::Direction direction) {
  Millis& last = direction == Way::Direction::up ? line.up_at : line.down_at;
  last = line.way->arrival_behind(direction, last, agenda_.at(), delay_of(line));
  return last;
}

LineId Network::connect(Client& client, Way& way) {
  const LineId id{++count_};
  Line& line = lines_[id];
  line.client = &client;
  line.way = &way;
  const Millis asked = way.arrival(Way::Direction::up, agenda_.at(), delay_of(line));
  agenda_.put(asked + delay_of(line), [this, id] {
    Line* up = find(id);
    if (up == nullptr || up->client == nullptr) {
      lines_.erase(id);
      return;
    }
    up->is_up = true;
    perform(ask([&](auto& server) { return server.connected(connection_of(id), now()); }));
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
  agenda_.put(next_arrival(*line, Way::Direction::up), [this, id, text = std::move(text)] {
    if (const Line* up = find(id); up != nullptr && up->is_up) {
      perform(ask([&](auto& server) { return server.on_line(connection_of(id), text, now()); }));
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
  agenda_.put(next_arrival(*line, Way::Direction::up), [this, id] { tell_server_closed(id); });
}

void Network::tell_server_closed(LineId id) {
  if (const Line* line = find(id); line != nullptr) {
    const bool is_up = line->is_up;
    lines_.erase(id);
    if (is_up) {
      perform(ask([&](auto& server) { return server.on_closed(connection_of(id), now()); }));
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

void Network::inject(LineId id, const std::string& text) {
  Line* line = find(id);
  if (line == nullptr || !line->is_up || line->is_dead) {
    return;
  }
  line->down_at = std::max(line->down_at, agenda_.at());
  const std::string bytes = text + "\n";
  for (std::size_t at = 0; at < bytes.size(); at += piece_bytes) {
    const bool is_last = at + piece_bytes >= bytes.size();
    line->down.push_back({line->down_at, bytes.substr(at, piece_bytes), !is_last});
  }
  agenda_.put(line->down_at, [this, id] { deliver(id); });
}

void Network::break_for_client(LineId id, const std::string& why) {
  Line* line = find(id);
  if (line == nullptr || line->client == nullptr) {
    return;
  }
  Client* client = std::exchange(line->client, nullptr);
  line->is_dead = true;
  line->down.clear();
  client->on_closed(How::broken, why);
}

void Network::cut_out(LineId id, Millis lasts, std::optional<Millis> server_closes_after) {
  Line* line = find(id);
  if (line == nullptr || line->client == nullptr || line->is_dead) {
    return;
  }
  const Millis until = agenda_.at() + lasts;
  line->way->cut_out(agenda_.at(), until);
  line->silent_since = agenda_.at();
  line->silent_until = until;
  watch_silence(id);
  if (server_closes_after && *server_closes_after < lasts) {
    agenda_.put_after(*server_closes_after, [this, id] {
      if (Line* closed = find(id); closed != nullptr && closed->is_up) {
        closed->is_up = false;
        perform(ask([&](auto& server) { return server.on_closed(connection_of(id), now()); }));
      }
    });
    agenda_.put(until, [this, id] {
      break_for_client(id, "Connection reset by peer");
      lines_.erase(id);
    });
  }
}

void Network::set_patience(LineId id, Millis patience) {
  if (Line* line = find(id); line != nullptr) {
    line->patience = std::max(patience, patience_min);
    watch_silence(id);
  }
}

std::optional<Millis> Network::last_arrival(LineId id) {
  const Line* line = find(id);
  return line == nullptr || line->is_dead ? std::nullopt : std::optional(line->down_at);
}

/// TCP_USER_TIMEOUT: what was sent and not acknowledged, or a probe, has waited for too long.
void Network::watch_silence(LineId id) {
  const Line* line = find(id);
  if (line == nullptr || agenda_.at() >= line->silent_until) {
    return;
  }
  const Millis ends = line->silent_since + line->patience;
  if (agenda_.at() < ends) {
    if (ends < line->silent_until) {
      agenda_.put(ends, [this, id] { watch_silence(id); });
    }
    return;
  }
  agenda_.put(line->silent_until, [this, id] { tell_server_closed(id); });
  break_for_client(id, "Connection timed out");
}

void Network::restart_server() {
  ++seed_;
  server_ = make_server();
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

void Network::perform(rehearse::server::Output output) {
  for (const rehearse::server::GameReport& report : output.reports) {
    sink_(report);
  }
  for (rehearse::server::Order& order : output.orders) {
    std::visit(base::Overload{
                   [&](rehearse::server::SendLine& send) {
                     const LineId id = line_of(send.to);
                     if (Line* line = find(id);
                         line != nullptr && line->client != nullptr && !line->is_dead) {
                       next_arrival(*line, Way::Direction::down);
                       const bool is_first = line->down.empty() ||
                                             line->down.back().at != line->down_at;
                       line->down.push_back({line->down_at, std::move(send.line) + "\n",
                                             dice_.one_in(lines_a_segment)});
                       if (is_first) {
                         agenda_.put(line->down_at, [this, id] { deliver(id); });
                       }
                     }
                   },
                   [&](const rehearse::server::CloseConnection& close) {
                     const LineId id = line_of(close.connection);
                     Line* line = find(id);
                     if (line == nullptr) {
                       return;
                     }
                     line->is_up = false;
                     if (line->client == nullptr || line->is_dead) {
                       return;
                     }
                     next_arrival(*line, Way::Direction::down);
                     line->down.push_back({line->down_at, "", true, true});
                     agenda_.put(line->down_at, [this, id] { deliver(id); });
                   }},
               order);
  }
  arm();
}

/// A segment after the other, through the splitter that the link has.
void Network::deliver(LineId id) {
  while (Line* line = find(id)) {
    if (line->client == nullptr || line->down.empty() || line->down.front().at > agenda_.at()) {
      return;
    }
    if (line->down.front().closes) {
      Client& client = *line->client;
      lines_.erase(id);
      client.on_closed(How::eof, "end of file");
      return;
    }
    std::string segment;
    for (bool has_ended = false; !has_ended && !line->down.empty() && !line->down.front().closes &&
                                 line->down.front().at <= agenda_.at();) {
      segment += line->down.front().bytes;
      has_ended = line->down.front().ends_segment;
      line->down.pop_front();
    }
    const auto fed = line->splitter.feed(segment);
    const std::vector<std::string> texts(fed.lines.begin(), fed.lines.end());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Line* still = find(id);
      if (still == nullptr || still->client == nullptr || still->is_dead) {
        return;
      }
      still->client->on_line(texts[i], i + 1 < texts.size());
    }
  }
}

void Network::arm() {
  const auto deadline = ask([&](auto& server) { return server.next_deadline(); });
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
    perform(ask([&](auto& server) { return server.on_timer(now()); }));
  });
}

}  // namespace kakehashi::sim
