// The games under way: who plays which side in which room, and until when both must have agreed. Games
// know connections and no sessions: what becomes of a player when its game is over is the server's business.
#pragma once

#include <array>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_report.hpp"
#include "rehearse/server/game_room.hpp"
#include "rehearse/server/lobby.hpp"
#include "rehearse/server/session.hpp"
#include "shogi/move.hpp"

namespace kakehashi::rehearse::server {

/// What a player is at; the text is good until something happens to its game.
struct GameSide {
  Status status;  ///< agree_waiting, start_waiting or game
  bool is_turn;  ///< lines of that side are judged now
  std::string_view game_id;
};

/// A player whose game is over, or came to nothing.
struct Released {
  ConnectionId player;
  bool has_ended_it = false;  ///< by a line or by saying nothing
};

/// What a call leads to: lines in order, facts for those who watch, and who plays no more.
struct GamesOutput {
  std::vector<SendLine> lines;
  std::vector<GameReport> reports;
  std::vector<Released> released;
};

class Games {
 public:
  /// `late_time_up`: nobody loses on time before look_at_clock() is called for the player.
  explicit Games(bool late_time_up) : late_time_up_(late_time_up) {}

  /// Both get their summaries.
  [[nodiscard]] GamesOutput begin(Pairing pairing, base::Now now);
  /// Nothing: it plays no game.
  [[nodiscard]] std::optional<GameSide> side_of(ConnectionId player) const;

  // --- of a player at a game; play() and look_at_clock() on its turn
  [[nodiscard]] GamesOutput agree(ConnectionId player, base::Now now);
  [[nodiscard]] GamesOutput reject(ConnectionId player);
  /// The last move of the game, sent once more: shogi-server drops such a line.
  [[nodiscard]] bool is_repeated(ConnectionId player, std::string_view line) const;
  [[nodiscard]] GamesOutput play(ConnectionId player, std::string_view line, base::Now now);
  [[nodiscard]] GamesOutput look_at_clock(ConnectionId player, base::Now now);
  [[nodiscard]] GamesOutput foul(ConnectionId player, std::string_view line);

  /// Of anyone: it is gone from its game.
  [[nodiscard]] GamesOutput leave(ConnectionId client);

  /// The first of the games whose time for agreement, or whose mover's time, is over; nothing: none is.
  [[nodiscard]] std::optional<GamesOutput> expire_one(base::Now now);
  [[nodiscard]] std::optional<base::SteadyTime> next_deadline() const;

 private:
  /// A game room with its players.
  struct Table {
    GameRoom room;
    base::SteadyTime agree_by{};
    std::array<std::optional<ConnectionId>, 2> players;  ///< nothing: that side is gone
  };
  struct Place {
    Table* table;
    shogi::Color side;
  };

  [[nodiscard]] std::optional<base::SteadyTime> deadline_of(const Table& table) const;
  /// `enders`: by whom the game has ended, should it be over.
  [[nodiscard]] GamesOutput perform(Table& table, RoomOutput told, const std::vector<ConnectionId>& enders);

  bool late_time_up_;
  std::list<Table> tables_;  ///< in the order of pairing
  std::map<ConnectionId, Place> places_;
};

}  // namespace kakehashi::rehearse::server
