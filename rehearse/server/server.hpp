// The room rehearse/server: the embedded practice server. It owns logins, pairing, and games with their clocks and their
// referee; it knows nothing of the bridge and its engines, and touches no socket and no clock.
//
// The embedded CSA server without its sockets: logins, pairing, games, and the odd corners of
// shogi-server that a client can observe. Every input comes with its time; every effect is in the
// returned output. It opens nothing and reads no clock. Source: shogi-server, as observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_report.hpp"
#include "rehearse/server/games.hpp"
#include "rehearse/server/lobby.hpp"
#include "rehearse/server/session.hpp"

namespace kakehashi::rehearse::server {

struct Settings : PairingSettings {
  /// A player who says nothing loses on time only when shogi-server would look (up to 60 s late).
  bool late_time_up = false;
  /// The protocol 1.2.1 to the letter: see session.hpp. A breach loses the game, or else the
  /// connection, which stays open between games.
  bool is_strict = false;
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

/// What a client's line or its silence means: who is here the sessions know, who waits for what the lobby, who plays the
/// games. What a client is at follows from the three:
///
///   | the session is               | in the lobby | at a game | Status                                    |
///   | ---------------------------- | ------------ | --------- | ----------------------------------------- |
///   | before_login, refused        | no           | no        | the same                                  |
///   | admitted                     | no           | no        | connected                                 |
///   | admitted                     | waits        | no        | game_waiting                              |
///   | admitted                     | no           | yes       | of its GameSide: agree_waiting, …, game   |
///   | finished                     | no           | no        | the same                                  |
class Server {
 public:
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
  void arrange(Arrangement next) { lobby_.arrange(std::move(next)); }

 private:
  // --- a client's input, and its end
  void take(Session& session, Input input);
  void poll(const Session& session);
  void take_due_polls();
  void take_due_games();
  void close(ConnectionId id);
  void forget(ConnectionId id);
  [[nodiscard]] Status status_of(const Session& session) const;
  [[nodiscard]] bool is_turn(const Session& session) const;

  // --- what is sent
  void send(ConnectionId to, std::string line);
  void send_error(const Session& session, const std::string& what);
  void perform(GamesOutput output);
  [[nodiscard]] Output finish_output();

  // --- from the login to a game
  void log_in(Session& session, std::string_view line);
  [[nodiscard]] bool admit(const Session& session, const Login& login, bool explains);
  void wait_for_game(const Session& session, const GameWish& wish);
  void play(Session& session, const std::string& line);
  void release(const Released& released);

  // --- the words
  void command(Session& session, const std::string& line);
  void extended_command(const Session& session, const std::string& line);
  void game_command(const Session& session, const std::vector<std::string_view>& words);
  void chat(const Session& session, const std::string& message);

  // --- of a strict server
  [[nodiscard]] bool forbid(Session& session, std::string_view line, base::Millis silence);
  void wait_for_next_games();

  Settings settings_;
  Sessions sessions_;
  Lobby lobby_;
  Games games_;
  base::Now now_{};  ///< of the present call, as is what it leads to
  Output output_;
};

}  // namespace kakehashi::rehearse::server
