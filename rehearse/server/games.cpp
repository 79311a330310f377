#include "rehearse/server/games.hpp"

#include <algorithm>
#include <utility>

namespace kakehashi::rehearse::server {
namespace {

constexpr base::Seconds agree_window{120};
constexpr std::string_view timed_out = "the Server (timed out)";

Status status_at(const GameRoom& room, shogi::Color side) {
  if (room.is_playing()) {
    return Status::game;
  }
  return room.has_agreed(side) ? Status::start_waiting : Status::agree_waiting;
}

}  // namespace

// --- those who play

GamesOutput Games::begin(Pairing pairing, base::Now now) {
  auto& table = tables_.emplace_back(Table{GameRoom(std::move(pairing.setup)),
                                           now.steady + agree_window,
                                           {pairing.black.id, pairing.white.id}});
  GamesOutput output;
  for (const auto side : {shogi::Color::black, shogi::Color::white}) {
    const auto player = *table.players[static_cast<std::size_t>(side)];
    places_.emplace(player, Place{&table, side});
    for (auto& line : summary_lines(table.room, side)) {
      output.lines.push_back({player, std::move(line)});
    }
  }
  return output;
}

std::optional<GameSide> Games::side_of(ConnectionId player) const {
  const auto found = places_.find(player);
  if (found == places_.end()) {
    return std::nullopt;
  }
  const auto& [table, side] = found->second;
  return GameSide{status_at(table->room, side), table->room.is_turn(side), table->room.setup().id};
}

GamesOutput Games::agree(ConnectionId player, base::Now now) {
  const auto [table, side] = places_.at(player);
  return perform(*table, table->room.agree(side, now), {});
}

GamesOutput Games::reject(ConnectionId player) {
  const auto [table, side] = places_.at(player);
  return perform(*table, table->room.reject(table->room.setup().names[static_cast<std::size_t>(side)]), {player});
}

bool Games::is_repeated(ConnectionId player, std::string_view line) const {
  return places_.at(player).table->room.is_repeated(line);
}

GamesOutput Games::play(ConnectionId player, std::string_view line, base::Now now) {
  auto& table = *places_.at(player).table;
  return perform(table, table.room.play(line, now), {player});
}

GamesOutput Games::look_at_clock(ConnectionId player, base::Now now) {
  auto& table = *places_.at(player).table;
  return perform(table, table.room.look_at_clock(now), {player});
}

GamesOutput Games::foul(ConnectionId player, std::string_view line) {
  const auto [table, side] = places_.at(player);
  return perform(*table, table->room.foul(side, line), {player});
}

GamesOutput Games::leave(ConnectionId client) {
  const auto found = places_.find(client);
  if (found == places_.end()) {
    return {};
  }
  const auto [table, side] = found->second;
  if (!table->room.is_playing()) {
    return perform(*table, table->room.reject(table->room.setup().names[static_cast<std::size_t>(side)]), {});
  }
  auto told = table->room.leave(side);
  const bool is_over = table->room.is_over();
  auto output = perform(*table, std::move(told), {});
  if (!is_over) {
    table->players[static_cast<std::size_t>(side)].reset();
    places_.erase(client);
  }
  return output;
}

GamesOutput Games::perform(Table& table, RoomOutput told, const std::vector<ConnectionId>& enders) {
  GamesOutput output;
  for (auto& [side, line] : told.lines) {
    if (const auto player = table.players[static_cast<std::size_t>(side)]) {
      output.lines.push_back({*player, std::move(line)});
    }
  }
  output.reports = std::move(told.reports);
  if (!table.room.is_over()) {
    return output;
  }
  for (const auto& player : table.players) {
    if (player) {
      places_.erase(*player);
      output.released.push_back({*player, std::find(enders.begin(), enders.end(), *player) != enders.end()});
    }
  }
  tables_.remove_if([&table](const Table& each) { return &each == &table; });
  return output;
}

// --- their time

std::optional<base::SteadyTime> Games::deadline_of(const Table& table) const {
  if (!table.room.is_playing()) {
    return table.agree_by;
  }
  return late_time_up_ ? std::nullopt : table.room.expiry();
}

std::optional<base::SteadyTime> Games::next_deadline() const {
  std::optional<base::SteadyTime> next;
  for (const auto& table : tables_) {
    next = base::earlier(next, deadline_of(table));
  }
  return next;
}

std::optional<GamesOutput> Games::expire_one(base::Now now) {
  const auto due = std::find_if(tables_.begin(), tables_.end(), [&](const Table& table) {
    const auto deadline = deadline_of(table);
    return deadline && *deadline <= now.steady;
  });
  if (due == tables_.end()) {
    return std::nullopt;
  }
  std::vector<ConnectionId> late;
  for (const auto side : {shogi::Color::black, shogi::Color::white}) {
    const auto player = due->players[static_cast<std::size_t>(side)];
    if (player && (status_at(due->room, side) == Status::agree_waiting || due->room.is_turn(side))) {
      late.push_back(*player);
    }
  }
  return perform(*due, due->room.is_playing() ? due->room.look_at_clock(now) : due->room.reject(timed_out), late);
}

}  // namespace kakehashi::rehearse::server
