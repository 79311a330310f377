// From agreement to result: the players' lines to the room, the room's lines to the players.
#include <utility>

#include "rehearsal/server.hpp"
#include "rehearsal/strict.hpp"

namespace kakehashi::rehearsal {
namespace {

constexpr std::string_view timed_out = "the Server (timed out)";

}  // namespace

/// What shogi-server does when a client has been silent for a while.
void Server::poll(Session& session) {
  const auto id = session.id;
  switch (session.status) {
    case Status::before_login:
    case Status::refused:
    case Status::finished:
      close(id);
      return;
    case Status::game:
      // Only the mover's own silence ends a game.
      if (session.table->room.is_turn(session.side)) {
        perform(*session.table, session.table->room.look_at_clock(now_));
        close_if_finished(id);
      }
      return;
    case Status::connected:
    case Status::game_waiting:
    case Status::agree_waiting:
    case Status::start_waiting:
      return;
  }
}

void Server::play(Session& session, std::string line) {
  if (session.status != Status::game) {
    return;
  }
  const auto id = session.id;
  auto& room = session.table->room;
  if (room.is_repeated(line)) {
    return;
  }
  if (!room.is_turn(session.side)) {
    session.deferred.emplace_back(std::move(line));
    return;
  }
  perform(*session.table, room.play(line, now_));
  close_if_finished(id);
}

void Server::agree(Session& session) {
  session.status = Status::start_waiting;
  auto& table = *session.table;
  perform(table, table.room.agree(session.side, now_));
  if (!table.room.is_playing()) {
    return;
  }
  for (const auto& seat : table.seats) {
    if (auto* player = seat ? find(*seat) : nullptr; player != nullptr) {
      player->status = Status::game;
    }
  }
}

void Server::reject(Session& session) {
  const auto id = session.id;
  perform(*session.table, session.table->room.reject(session.name));
  close_if_finished(id);
}

/// A deadline of the game itself has passed: the agreement's, or the mover's.
void Server::expire(Table& table) {
  std::vector<ConnectionId> late;
  for (const auto& seat : table.seats) {
    auto* player = seat ? find(*seat) : nullptr;
    if (player != nullptr && (player->status == Status::agree_waiting ||
                              table.room.is_turn(player->side))) {
      late.push_back(player->id);
    }
  }
  perform(table, table.room.is_playing() ? table.room.look_at_clock(now_)
                                         : table.room.reject(timed_out));
  for (const auto id : late) {
    close_if_finished(id);
  }
}

void Server::leave_table(Session& session) {
  if (session.table == nullptr) {
    return;
  }
  auto& table = *session.table;
  auto output = table.room.is_playing() ? table.room.leave(session.side, now_)
                                        : table.room.reject(session.name);
  const auto side = session.side;
  const bool is_over = table.room.is_over();
  perform(table, std::move(output));
  if (!is_over) {
    session.table = nullptr;
    table.seats[static_cast<std::size_t>(side)].reset();
  }
}

void Server::perform(Table& table, RoomOutput output) {
  tell_watchers(table, output.reports);
  for (auto& [side, line] : output.lines) {
    if (const auto seat = table.seats[static_cast<std::size_t>(side)]) {
      send(*seat, std::move(line));
    }
  }
  for (auto& report : output.reports) {
    output_.reports.push_back(std::move(report));
  }
  if (table.room.is_over()) {
    clear_table(table);
  }
}

void Server::clear_table(Table& table) {
  for (const auto& seat : table.seats) {
    auto* player = seat ? find(*seat) : nullptr;
    if (player == nullptr) {
      continue;
    }
    player->table = nullptr;
    player->deferred.clear();
    // A CSA-mode client stays open, silently, until its next input or poll.
    const bool stays = player->form != LoginForm::csa || settings_.is_strict;
    player->status = stays ? Status::connected : Status::finished;
    player->rests_until = now_.steady + strict_rest;
    player->may_cross = stays;
  }
  tables_.remove_if([&table](const Table& each) { return &each == &table; });
}

void Server::close_if_finished(ConnectionId id) {
  if (const auto* session = find(id); session != nullptr && session->status == Status::finished) {
    close(id);
  }
}

}  // namespace kakehashi::rehearsal
