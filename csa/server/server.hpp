// The embedded CSA server without its sockets: logins, pairing, games, and the odd corners of
// shogi-server that a client can observe. Every input comes with its time; every effect is in the
// returned output. It opens nothing and reads no clock. Source: shogi-server, as observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "csa/server/game_report.hpp"
#include "csa/server/game_room.hpp"
#include "csa/server/session.hpp"
#include "shogi/position.hpp"

namespace kakehashi::csa::server {

struct Settings {
  std::string event = "local";  ///< the first part of game ids
  int max_moves = 256;          ///< 0: no limit
  std::int64_t least_time_per_move_s = 0;
  /// Floodgate names are paired when the clock on the wall shows a multiple of this; nothing: as
  /// soon as two wait, like any other name.
  std::optional<base::Millis> floodgate_interval;
  /// A player who says nothing loses on time only when shogi-server would look (up to 60 s late).
  bool late_time_up = false;
  /// The protocol 1.2.1 to the letter: see strict.hpp. A breach loses the game, or else the
  /// connection, which stays open between games.
  bool is_strict = false;
  std::string version = "Kakehashi rehearsal server";  ///< what %%VERSION shows
};

/// How the next games of a player are paired, until it is said anew: who has black, and from where.
struct Arrangement {
  std::string black;                    ///< that player has black, whoever the other one is
  std::optional<shogi::Position> start;  ///< nothing: as the game name says
  std::vector<ListedMove> moves;        ///< legal ones from there; of a `start` only
  std::string event;                    ///< first part of the game id; empty: that of the settings
};

struct SendLine {
  ConnectionId to;
  std::string line;  ///< without its end; may be empty (the answer to a keepalive)
};
/// Lines sent before still go out. The connection is forgotten: nothing it does is heard any more.
struct CloseConnection {
  ConnectionId connection;
};
using Order = std::variant<SendLine, CloseConnection>;

struct Output {
  std::vector<Order> orders;
  std::vector<GameReport> reports;
};

/// Prepared starts (buoys): moves from which the next games of a name begin. Source: shogi-server's
/// %%SETBUOY, %%DELETEBUOY and %%GETBUOYCOUNT.
class Buoys {
 public:
  static constexpr std::size_t buoys_max = 256;
  static constexpr std::size_t moves_max = 512;
  static constexpr std::int64_t count_max = 1'000'000;

  /// `moves` is glued, "+7776FU-3334FU,T5+2726FU"; `count` games will start from them. Nothing on
  /// success, else the words after "##[ERROR] ".
  [[nodiscard]] std::optional<std::string> set(std::string_view game, std::string_view moves,
                                               std::string_view count, std::string_view owner);
  [[nodiscard]] std::optional<std::string> remove(std::string_view game, std::string_view owner);
  /// How many games are left; -1 when there is no such buoy.
  [[nodiscard]] std::int64_t count(std::string_view game) const;

  /// The moves for a game that begins now; counted as used. Nothing without a buoy.
  [[nodiscard]] std::vector<ListedMove> take(std::string_view game);

 private:
  struct Buoy {
    std::vector<ListedMove> moves;
    std::int64_t count = 1;
    std::string owner;
  };
  std::map<std::string, Buoy, std::less<>> buoys_;
};

class Server {
 public:
  static constexpr std::size_t connections_max = 1024;
  static constexpr std::size_t deferred_max = 256;  ///< a client with more is closed
  /// Games without a limit of moves end here all the same.
  static constexpr int plies_max = 10'000;

  /// Colors and floodgate pairs are drawn from `seed`.
  Server(Settings settings, std::uint64_t seed);

  [[nodiscard]] Output connected(ConnectionId id, base::Now now);
  /// `line` without its end, any bytes. Unknown connections are ignored, here and below.
  [[nodiscard]] Output on_line(ConnectionId id, std::string_view line, base::Now now);
  [[nodiscard]] Output on_closed(ConnectionId id, base::Now now);
  /// A timer only wakes: late, early or spurious, it is harmless.
  [[nodiscard]] Output on_timer(base::Now now);
  [[nodiscard]] std::optional<base::SteadyTime> next_deadline() const;

  /// For those who play many games to compare two players; real servers draw.
  void arrange(Arrangement next) { arrangement_ = std::move(next); }

 private:
  // server.cpp: connections, polls, deadlines
  void take(Session& session, Input input);
  void take_due_polls();
  void take_due_games();
  void close(ConnectionId id);
  void forget(ConnectionId id);
  void set_poll(Session& session);
  Session* find(ConnectionId id);
  [[nodiscard]] std::vector<Session*> players();
  void send(ConnectionId to, std::string line);
  void send_error(const Session& session, const std::string& what);
  [[nodiscard]] Output finish_output();

  // server_strict.cpp
  [[nodiscard]] bool forbid(Session& session, std::string_view line, base::Millis silence);
  void wait_for_next_games();

  // server_login.cpp
  void log_in(Session& session, std::string_view line);
  [[nodiscard]] bool admit(const Session& session, const Login& login, bool explains);
  void refuse(Session& session);

  // server_pairing.cpp
  void wait_for_game(Session& session, const GameWish& wish, bool challenges);
  void stop_waiting(Session& session);
  [[nodiscard]] Session* find_rival(const Session& session, const GameWish& wish);
  void pair(Session& a, Session& b);
  void seat(Table& table, Session& session, shogi::Color side);
  void pair_floodgate();
  void plan_floodgate();
  [[nodiscard]] std::string new_game_id(const std::string& event, const GameName& game, const Session& black,
                                        const Session& white);
  [[nodiscard]] std::uint64_t draw();

  // server_game.cpp
  void poll(Session& session);
  void play(Session& session, std::string line);
  void agree(Session& session);
  void reject(Session& session);
  void expire(Table& table);
  void leave_table(Session& session);
  void perform(Table& table, RoomOutput output);
  void clear_table(Table& table);
  /// A CSA-mode client whose input ended its game is closed at once.
  void close_if_finished(ConnectionId id);

  // server_commands.cpp
  void command(Session& session, const std::string& line);
  void extended_command(Session& session, const std::string& line);
  void game_command(Session& session, const std::vector<std::string_view>& words);
  void buoy_command(Session& session, const std::vector<std::string_view>& words);
  void chat(const Session& session, const std::string& message);
  void log_out(Session& session);

  // server_watch.cpp
  /// False when the word is none of its own.
  [[nodiscard]] bool look_command(const Session& session,
                                  const std::vector<std::string_view>& words);
  void watch_command(const Session& session, std::string_view word, std::string_view game_id);
  void tell_watchers(const Table& table, const std::vector<GameReport>& reports);
  void tell_watcher(const Table& table, ConnectionId watcher, const char* tag,
                    std::vector<std::string> lines);
  Table* find_table(std::string_view game_id);

  Settings settings_;
  std::uint64_t random_state_;
  std::map<ConnectionId, Session> sessions_;
  std::list<Table> tables_;  ///< in the order of pairing
  Buoys buoys_;
  std::optional<Arrangement> arrangement_;
  std::uint64_t logins_ = 0;
  std::int64_t last_stamp_ = 0;
  std::optional<base::SteadyTime> next_floodgate_;
  base::Now now_{};
  Output output_;
};

}  // namespace kakehashi::csa::server
