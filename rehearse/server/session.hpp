// The clients of the server: how one logs in, who it is, when it is asked for a sign of life, and the lines that wait
// for its turn. They know no game and no pairing: what a client is at beyond its login, the lobby and the games know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "rehearse/server/game_name.hpp"
#include "shogi/move.hpp"

namespace kakehashi::rehearse::server {

// --- the LOGIN line: who logs in, in which form, and what a CSA-mode password hides (game name, color, trip). It knows no
// other player. Source: shogi-server's two login forms, as observed.

/// The color that a player asks for; nothing: either ("*").
using ColorWish = std::optional<shogi::Color>;

enum class LoginForm { csa, x1 };

/// What a CSA-mode login waits for.
struct GameWish {
  GameName game;
  ColorWish color;
};

struct Login {
  std::string name;
  LoginForm form = LoginForm::csa;
  /// A digest of the trip; nothing for a player without one, who is unrated.
  std::optional<std::uint64_t> trip;
  GameWish wish;  ///< csa form only
};

struct LoginParse {
  std::optional<Login> login;
  /// The line had four words or more: shogi-server then explains the syntax.
  bool wants_explanation = false;
};

/// Any line at all may come before the login; all but a good LOGIN are refused.
[[nodiscard]] LoginParse parse_login(std::string_view line);

// --- the client

/// Given by the shell, one for each connection, never used twice.
enum class ConnectionId : std::uint64_t {};

struct SendLine {
  ConnectionId to;
  std::string line;  ///< without its end; may be empty (the answer to a keepalive)
};

/// A client as the others know it.
struct Player {
  ConnectionId id{};
  std::string name;
  LoginForm form = LoginForm::csa;
  std::optional<std::uint64_t> trip;
  std::uint64_t login_order = 0;  ///< from 1; 0: not logged in
};

/// What a client is at. Words as shogi-server spells them, but for the first two, which have none.
enum class Status {
  before_login,
  refused,  ///< a login that must not come back; closed in a moment
  connected,
  game_waiting,
  agree_waiting,
  start_waiting,
  game,
  finished,  ///< its game is over; closed at its next input or poll
};
[[nodiscard]] const char* status_word(Status status);

/// A line, or nothing for a poll: shogi-server's reading gives up for a moment and looks around.
using Input = std::optional<std::string>;

struct Session {
  /// The part of its status that needs no lobby and no game.
  enum class Standing { before_login, refused, admitted, finished };

  Standing standing = Standing::before_login;
  Player player;  ///< all but the id is empty before the login

  std::optional<GameWish> login_wish;  ///< of a CSA-mode login
  base::SteadyTime rests_until{};      ///< of a strict server: not paired again before
  bool may_cross = false;  ///< of a strict server: its game has just ended, and a move may be under way

  /// Lines that came before their turn, and everything that queued up behind them.
  std::deque<Input> deferred;
  base::SteadyTime poll_at{};
  base::SteadyTime last_line_at{};

  /// It has been read: when its reading gives up the next time.
  void set_poll(base::SteadyTime now);
  /// It is heard no more, and closed in a moment.
  void refuse(base::SteadyTime now);
};

/// Everyone who is connected. Sessions stay where they are until they are closed.
class Sessions {
 public:
  static constexpr std::size_t connections_max = 1024;

  /// False: there are connections_max already.
  [[nodiscard]] bool open(ConnectionId id, base::SteadyTime now);
  void close(ConnectionId id) { sessions_.erase(id); }
  void admit(Session& session, Login login);

  /// Nothing when it is not connected, or not any more.
  [[nodiscard]] Session* find(ConnectionId id);
  /// Whoever is logged in, in the order of the logins.
  [[nodiscard]] std::vector<const Session*> players() const;
  /// The one whose reading gives up first, and not after `now`.
  [[nodiscard]] Session* due_poll(base::SteadyTime now);
  [[nodiscard]] std::optional<base::SteadyTime> next_poll() const;

 private:
  std::map<ConnectionId, Session> sessions_;
  std::uint64_t logins_ = 0;
};

// --- the CSA server protocol 1.2.1 to the letter, without what shogi-server adds or lets pass: which line of a client
// breaks it. What a breach costs is the server's business.

/// `LOGIN <name> <password>` with single spaces: a name of letters, digits, _ and -, at most 32
/// bytes; a password of visible ASCII, at most 32 bytes.
[[nodiscard]] bool is_strict_login(std::string_view line);

/// A move, a resignation or a declaration, as the protocol writes them.
[[nodiscard]] bool is_strict_action(std::string_view line);

/// What is known of the sender when its line comes.
struct StrictView {
  Status status;
  bool is_turn = false;        ///< in a game: its own
  std::string_view game_id{};  ///< of the game that is offered or played
  base::Millis silence{0};     ///< since its last line
};

/// Whether a line of a client that is logged in breaks a rule.
[[nodiscard]] bool is_strict_fault(std::string_view line, const StrictView& view);

/// The protocol forbids an empty line sooner after any line of the same client.
inline constexpr base::Millis strict_keepalive_min{30'000};

/// Between a game and the next pairing on the same connection: time for a LOGOUT that is under way.
inline constexpr base::Millis strict_rest{1'000};

}  // namespace kakehashi::rehearse::server
