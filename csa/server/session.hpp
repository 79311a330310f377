// One client of the server: how it logs in, who it is, what it is doing, and the lines that wait for its turn.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "csa/server/game_name.hpp"
#include "csa/server/game_room.hpp"
#include "shogi/move.hpp"

namespace kakehashi::csa::server {

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
  /// The md5 of the trip; nothing for a player without one, who is unrated.
  std::optional<std::string> trip;
  GameWish wish;  ///< csa form only
};

struct LoginRefusal {
  /// The line had four words or more: shogi-server then explains the syntax.
  bool wants_explanation = false;
};

struct LoginParse {
  std::optional<Login> login;
  LoginRefusal refusal;
};

/// Any line at all may come before the login; all but a good LOGIN are refused.
[[nodiscard]] LoginParse parse_login(std::string_view line);

/// 32 lower-case hexadecimal digits, only because shogi-server shows a player's identity so (`name+<md5 of the trip>`, in
/// %%WHO): it protects nothing here. Source: RFC 1321.
[[nodiscard]] std::string md5_hex(std::string_view text);

// --- the client

/// Given by the shell, one for each connection, never used twice.
enum class ConnectionId : std::uint64_t {};

struct Table;

/// Words as shogi-server spells them, but for the first two, which have none.
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
  ConnectionId id{};
  Status status = Status::before_login;
  std::string name;
  LoginForm form = LoginForm::csa;
  std::optional<std::string> trip;
  std::uint64_t login_order = 0;

  std::optional<GameWish> login_wish;  ///< of a CSA-mode login
  base::SteadyTime rests_until{};      ///< of a strict server: not paired again before
  bool may_cross = false;  ///< of a strict server: its game has just ended, and a move may be under way
  std::optional<GameWish> wish;        ///< game_waiting only
  Table* table = nullptr;        ///< agree_waiting, start_waiting and game only
  shogi::Color side = shogi::Color::black;

  /// Lines that came before their turn, and everything that queued up behind them.
  std::deque<Input> deferred;
  base::SteadyTime poll_at{};
  base::SteadyTime last_line_at{};

  /// "name+<md5>", or the bare name of a player without a trip.
  [[nodiscard]] std::string player_id() const { return trip ? name + "+" + *trip : name; }
  /// As %%WHO prints it.
  [[nodiscard]] std::string who() const;
};

// A game room with the clients around it: who sits on which side, who looks on, and until when
// both must have agreed.
struct Table {
  GameRoom room;
  std::string game_name;
  base::WallTime paired_at{};
  base::SteadyTime agree_by{};
  std::array<std::optional<ConnectionId>, 2> seats;  ///< nothing: that side is gone
  std::array<std::string, 2> player_ids;
  std::set<ConnectionId> board_watchers;   ///< %%MONITORON
  std::set<ConnectionId> record_watchers;  ///< %%MONITOR2ON
};

}  // namespace kakehashi::csa::server
