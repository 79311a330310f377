#include "tests/rehearse/server/hall.hpp"

#include <utility>
#include <variant>

#include "base/overload.hpp"

namespace kakehashi::rehearse::server {

Settings like_the_real_server() {
  Settings settings;
  settings.late_time_up = true;
  settings.floodgate_interval = std::chrono::minutes(30);
  return settings;
}

Hall::Hall(Settings settings, std::uint64_t seed) : server_(std::move(settings), seed) {}

base::Now Hall::now() const {
  // Two minutes past midnight on 2 January 2026.
  const auto midnight = std::chrono::sys_days(std::chrono::year_month_day(
      std::chrono::year(2026), std::chrono::month(1), std::chrono::day(2)));
  return {base::SteadyTime(time_), base::WallTime(midnight) + std::chrono::minutes(2) + time_};
}

void Hall::connect(const std::string& client) {
  const auto id = ConnectionId{++connections_};
  ids_[client] = id;
  open_[id] = true;
  perform(server_.connected(id, now()));
}

void Hall::say(const std::string& client, std::string_view line) {
  perform(server_.on_line(ids_.at(client), line, now()));
}

void Hall::vanish(const std::string& client) {
  perform(server_.on_closed(ids_.at(client), now()));
}

void Hall::pass(base::Millis time) {
  const auto until = time_ + time;
  for (auto next = server_.next_deadline(); next; next = server_.next_deadline()) {
    const auto due = std::chrono::ceil<base::Millis>(next->time_since_epoch());
    if (due > until) {
      break;
    }
    time_ = std::max(time_, due);
    perform(server_.on_timer(now()));
  }
  time_ = until;
}

void Hall::wake() { perform(server_.on_timer(now())); }

Lines Hall::hear(const std::string& client) { return std::exchange(heard_[ids_.at(client)], {}); }

bool Hall::is_open(const std::string& client) const { return open_.at(ids_.at(client)); }

void Hall::log_in(const std::string& client, const std::string& password) {
  connect(client);
  say(client, "LOGIN " + client + " " + password);
  (void)hear(client);
}

void Hall::start_game(const std::string& game_name) {
  log_in("black", game_name + "-B,b");
  log_in("white", game_name + "-W,w");
  say("black", "AGREE");
  say("white", "AGREE");
  (void)hear("black");
  (void)hear("white");
}

void Hall::perform(Output output) {
  constexpr std::string_view key = "Game_ID:";
  for (auto& order : output.orders) {
    std::visit(base::Overload{[this, key](SendLine& send) {
                                if (send.line.starts_with(key)) {
                                  game_id_ = send.line.substr(key.size());
                                }
                                heard_[send.to].push_back(std::move(send.line));
                              },
                              [this](CloseConnection& close) { open_[close.connection] = false; }},
               order);
  }
  for (auto& report : output.reports) {
    reports_.push_back(std::move(report));
  }
}

}  // namespace kakehashi::rehearse::server
