// Looking on: who is here, which games run, and following one of them.
#include <algorithm>
#include <utility>

#include "base/overload.hpp"
#include "rehearsal/end_lines.hpp"
#include "rehearsal/record_head.hpp"
#include "rehearsal/server.hpp"
#include "rehearsal/summary_text.hpp"

namespace kakehashi::rehearsal {

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

}  // namespace kakehashi::rehearsal
