#include "rehearse/server/games.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <variant>

#include "base/overload.hpp"
#include "rehearse/server/referee.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::rehearse::server {
namespace {

constexpr base::Seconds agree_window{120};
constexpr std::string_view timed_out = "the Server (timed out)";

// --- the record of a running game so far, as %%MONITOR2ON shows it first

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

/// "2026/01/02 03:04:05" (UTC).
std::string format_time(base::WallTime wall) {
  const auto day = std::chrono::floor<std::chrono::days>(wall);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<base::Seconds>(wall - day));
  return std::to_string(static_cast<int>(date.year())) + "/" +
         two_digits(static_cast<unsigned>(date.month())) + "/" +
         two_digits(static_cast<unsigned>(date.day())) + " " + two_digits(time.hours().count()) +
         ":" + two_digits(time.minutes().count()) + ":" + two_digits(time.seconds().count());
}

bool has_trip(const std::string& identity) { return identity.find('+') != std::string::npos; }

/// `identities`: "name+<md5>" of black and white. Without a trip on both sides nobody is rated.
std::vector<std::string> record_head(const GameRoom& room, const std::array<std::string, 2>& identities,
                                     base::WallTime paired_at) {
  const auto& setup = room.setup();
  std::vector<std::string> lines = {
      "V2",
      "N+" + setup.names[0],
      "N-" + setup.names[1],
      "'Max_Moves:" + std::to_string(setup.max_moves),
      "'Least_Time_Per_Move:" + std::to_string(setup.clock.least_time_s),
      "'Increment:" + std::to_string(setup.clock.increment_s),
      "$EVENT:" + setup.id,
      "$START_TIME:" + format_time(paired_at),
  };
  for (auto& line : board_lines(setup.start)) {
    lines.push_back(std::move(line));
  }
  lines.emplace_back(1, shogi::csa::sign(setup.start.side_to_move()));
  if (has_trip(identities[0]) && has_trip(identities[1])) {
    lines.push_back("'rating:" + identities[0] + ":" + identities[1]);
  }
  for (const auto& move : setup.moves) {
    lines.push_back(move.text);
    lines.push_back("T" + std::to_string(move.seconds));
  }
  for (const auto& move : room.moves()) {
    lines.push_back(move.text);
    lines.push_back("T" + std::to_string(move.seconds));
    if (!move.comment.empty()) {
      lines.push_back("'*" + move.comment);
    }
  }
  return lines;
}

void tell_watcher(GamesOutput& output, const GameRoom& room, ConnectionId watcher, const char* tag,
                  std::vector<std::string> lines) {
  lines.emplace_back("+OK");
  for (const auto& line : lines) {
    output.lines.push_back({watcher, std::string("##[") + tag + "][" + room.setup().id + "] " + line});
  }
}

template <class Tables>
auto* find(Tables& tables, std::string_view game_id) {
  const auto found = std::find_if(tables.begin(), tables.end(), [game_id](const auto& table) {
    return table.room.setup().id == game_id;
  });
  return found == tables.end() ? nullptr : &*found;
}

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
                                           std::move(pairing.game_name),
                                           now.wall,
                                           now.steady + agree_window,
                                           {pairing.black.id, pairing.white.id},
                                           {pairing.black.identity(), pairing.white.identity()},
                                           {}});
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
  return GameSide{status_at(table->room, side), side, table->room.is_turn(side), table->room.setup().id,
              table->game_name};
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

GamesOutput Games::foul(ConnectionId player, std::string_view line, base::Now now) {
  const auto [table, side] = places_.at(player);
  return perform(*table, table->room.foul(side, line, now), {player});
}

GamesOutput Games::leave(ConnectionId client, base::Now now) {
  for (auto& table : tables_) {
    for (auto& watchers : table.watchers) {
      watchers.erase(client);
    }
  }
  const auto found = places_.find(client);
  if (found == places_.end()) {
    return {};
  }
  const auto [table, side] = found->second;
  if (!table->room.is_playing()) {
    return perform(*table, table->room.reject(table->room.setup().names[static_cast<std::size_t>(side)]), {});
  }
  auto told = table->room.leave(side, now);
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
  tell_watchers(table, told.reports, output);
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

// --- looking on: which games run, and following one of them

std::vector<std::string> Games::ids() const {
  std::vector<std::string> all;
  for (const auto& table : tables_) {
    all.push_back(table.room.setup().id);
  }
  return all;
}

std::vector<std::string> Games::show(std::string_view game_id) const {
  const auto* table = find(tables_, game_id);
  return table == nullptr ? std::vector<std::string>() : show_lines(table->room);
}

GamesOutput Games::watch(Look look, std::string_view game_id, ConnectionId watcher) {
  GamesOutput output;
  if (auto* table = find(tables_, game_id); table != nullptr) {
    table->watchers_of(look).insert(watcher);
    if (look == Look::record) {
      tell_watcher(output, table->room, watcher, "MONITOR2",
                   record_head(table->room, table->identities, table->paired_at));
    }
  }
  return output;
}

void Games::unwatch(Look look, std::string_view game_id, ConnectionId watcher) {
  if (auto* table = find(tables_, game_id); table != nullptr) {
    table->watchers_of(look).erase(watcher);
  }
}

void Games::tell_watchers(const Table& table, const std::vector<GameReport>& reports, GamesOutput& output) const {
  const auto played = [&](const MovePlayed& report) {
    for (const auto watcher : table.watchers_of(Look::board)) {
      tell_watcher(output, table.room, watcher, "MONITOR", show_lines(table.room));
    }
    for (const auto watcher : table.watchers_of(Look::record)) {
      tell_watcher(output, table.room, watcher, "MONITOR2",
                   {report.move.text, "T" + std::to_string(report.move.seconds)});
    }
  };
  const auto ended = [&](const GameEnded& report) {
    for (const auto watcher : table.watchers_of(Look::record)) {
      tell_watcher(output, table.room, watcher, "MONITOR2", {std::string(end_lines(report.reason).front())});
    }
  };
  for (const auto& report : reports) {
    std::visit(base::Overload{[](const GameStarted&) {}, played, ended, [](const GameRejected&) {}},
               report);
  }
}

}  // namespace kakehashi::rehearse::server
