// From agreement to result: the players' lines to the room, the room's lines to the players.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/overload.hpp"
#include "base/time.hpp"
#include "csa/server/game_room.hpp"
#include "csa/server/referee.hpp"
#include "csa/server/server.hpp"
#include "csa/server/strict.hpp"
#include "shogi/notation/csa.hpp"

namespace kakehashi::csa::server {
namespace {

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

bool has_trip(const std::string& player_id) { return player_id.find('+') != std::string::npos; }

/// `player_ids`: "name+<md5>" of black and white. Without a trip on both sides nobody is rated.
std::vector<std::string> record_head(const GameRoom& room,
                                     const std::array<std::string, 2>& player_ids,
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
  if (has_trip(player_ids[0]) && has_trip(player_ids[1])) {
    lines.push_back("'rating:" + player_ids[0] + ":" + player_ids[1]);
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

// --- looking on: who is here, which games run, and following one of them

bool Server::look_command(const Session& session, const std::vector<std::string_view>& words) {
  std::vector<std::string> answer;
  if (words[0] == "%%WHO") {
    for (const auto* player : players()) {
      answer.push_back(player->who());
    }
  } else if (words[0] == "%%LIST") {
    for (const auto& each : tables_) {
      answer.push_back(each.room.setup().id);
    }
  } else if (words[0] == "%%VERSION") {
    answer.push_back(settings_.version);
  } else if (words[0] == "%%SHOW" && words.size() >= 2) {
    if (const auto* table = find_table(words[1]); table != nullptr) {
      answer = show_lines(table->room);
    }
  } else if (words[0] != "%%RATING") {  // nobody is rated here: an empty list
    return false;
  }
  answer.emplace_back("+OK");
  for (const auto& line : answer) {
    send(session.id, "##[" + std::string(words[0].substr(2)) + "] " + line);
  }
  return true;
}

void Server::watch_command(const Session& session, std::string_view word,
                           std::string_view game_id) {
  auto* table = find_table(game_id);
  if (table == nullptr) {
    return;
  }
  if (word == "%%MONITORON") {
    table->board_watchers.insert(session.id);
  } else if (word == "%%MONITOROFF") {
    table->board_watchers.erase(session.id);
  } else if (word == "%%MONITOR2ON") {
    table->record_watchers.insert(session.id);
    tell_watcher(*table, session.id, "MONITOR2",
                 record_head(table->room, table->player_ids, table->paired_at));
  } else if (word == "%%MONITOR2OFF") {
    table->record_watchers.erase(session.id);
  }
}

void Server::tell_watcher(const Table& table, ConnectionId watcher, const char* tag,
                          std::vector<std::string> lines) {
  lines.emplace_back("+OK");
  for (const auto& line : lines) {
    send(watcher, std::string("##[") + tag + "][" + table.room.setup().id + "] " + line);
  }
}

void Server::tell_watchers(const Table& table, const std::vector<GameReport>& reports) {
  const auto played = [this, &table](const MovePlayed& report) {
    for (const auto watcher : table.board_watchers) {
      tell_watcher(table, watcher, "MONITOR", show_lines(table.room));
    }
    for (const auto watcher : table.record_watchers) {
      tell_watcher(table, watcher, "MONITOR2",
                   {report.move.text, "T" + std::to_string(report.move.seconds)});
    }
  };
  const auto ended = [this, &table](const GameEnded& report) {
    for (const auto watcher : table.record_watchers) {
      tell_watcher(table, watcher, "MONITOR2", {std::string(end_lines(report.reason).front())});
    }
  };
  for (const auto& report : reports) {
    std::visit(base::Overload{[](const GameStarted&) {}, played, ended, [](const GameRejected&) {}},
               report);
  }
}

Table* Server::find_table(std::string_view game_id) {
  const auto found = std::find_if(tables_.begin(), tables_.end(), [game_id](const Table& table) {
    return table.room.setup().id == game_id;
  });
  return found == tables_.end() ? nullptr : &*found;
}

}  // namespace kakehashi::csa::server
