// Everything a bot can be told, as plain structs with the defaults stated once, here. Reading YAML
// is load_yaml's business; sense is validate's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/secret.hpp"
#include "base/time.hpp"
#include "config/book_config.hpp"
#include "config/engine_config.hpp"
#include "config/journal_config.hpp"
#include "config/kept_config.hpp"
#include "config/notify_config.hpp"
#include "config/record_config.hpp"
#include "config/schedule_config.hpp"
#include "config/setting_rule.hpp"
#include "config/transport_config.hpp"

namespace kakehashi::config {

using base::Millis;
using base::Seconds;

/// What becomes of the connection when a game is over.
enum class AfterGame {
  automatic,  ///< reconnect where a game name is sent (shogi-server's family), stay elsewhere
  reconnect,  ///< close and log in again at once
  stay,       ///< wait on the same connection for the next game
};

/// When LOGOUT is said.
enum class Logout {
  automatic,  ///< on the way out, where the connection is kept between games
  always,     ///< also before each new login
  never,      ///< the connection is closed without a word, as on floodgate
};

/// What an idle connection is kept alive with.
enum class KeepaliveForm {
  blank,  ///< an empty line: every server; the server may echo it
  space,  ///< a space: shogi-server only, which takes it without an answer
};

/// How to log in.
enum class LoginMode {
  csa,  ///< LOGIN name password: the server looks for a game by itself
  x1,   ///< LOGIN name password x1: the bot asks for its game (%%GAME), after each game again
};

struct Server {
  std::string host;             ///< name or address; required
  std::uint16_t port = 4081;
  Tls tls;
  WebSocket websocket;
  Proxy proxy;
  std::string proxy_password_file;  ///< for the user in `proxy`; one trailing newline is dropped
  Millis connect_timeout{15'000};
  Millis login_timeout{30'000};
  /// Idle time after which an empty line is sent; at least 30 s (protocol rule).
  Seconds keepalive{50};
  KeepaliveForm keepalive_form = KeepaliveForm::blank;
  Seconds tcp_keepalive{15};  ///< of silence, before the kernel asks whether the line still stands
  /// The longest pause between two attempts to connect or log in.
  Seconds retry_max{300};
  /// Log in again when the line was closed after a login, instead of leaving.
  bool relogin = true;
  AfterGame after_game = AfterGame::automatic;
  Logout logout = Logout::automatic;
  LoginMode mode = LoginMode::csa;
  /// Say CHALLENGE when idle, for servers that pair only who says so.
  bool challenge = false;
};

struct Account {
  std::string name;             ///< required; [A-Za-z0-9_@.-], at most 32 bytes
  /// The trip (floodgate) or plain password, from exactly one of the sources below.
  base::Secret password;
  std::string password_file;        ///< path; one trailing newline is dropped
  std::string password_env;         ///< name of an environment variable
  std::string password_credential;  ///< name of a systemd credential
};

/// Who declares an entering-king win: the engine, or the bridge too, as soon as it holds.
enum class Declare { engine, automatic };

/// When a game is given up: when the engine says so; never while a legal move is left; or when the
/// engine says so or thinks so badly of its moves.
struct Resign {
  enum class By { engine, never, score };
  By by = By::engine;
  int score = 0;  ///< centipawns, positive: as many behind
  int moves = 0;  ///< so many own moves in a row
};

struct Game {
  /// "floodgate-300-10F"; sent as "name,trip" in the LOGIN line. Empty: the password goes alone.
  std::string name;
  /// Games to play; nothing: until stopped.
  std::optional<int> count;
  /// `move,'* score pv` comments. Nothing: on for floodgate game names only.
  std::optional<bool> comments;
  Declare declare = Declare::engine;
  Resign resign;
  /// Our other accounts; the loader adds those of the bots that run in the same process on that server.
  std::vector<std::string> own_accounts;
  bool meet_own = false;  ///< play against them too
};

/// Whether the engine thinks on the opponent's time: from the server's word on our move on, or
/// early, from our move on.
enum class Ponder { off, on, early };

struct Time {
  /// Kept back from each move's time for the way to the server and back. Nothing: as measured.
  std::optional<Millis> margin;
  /// The bounds of a measured margin.
  Millis margin_min{300};
  Millis margin_max{3'000};
  /// Tell an engine that can round its thinking up how the server counts (RoundUpToFullSecond).
  bool round_up = false;
  /// For games without any clock: given as byoyomi.
  Millis untimed_move{10'000};
};

/// How the bot leaves when it is asked to.
struct Stop {
  Seconds drain_limit{0};  ///< how long a game may go on; 0: to its end
};

struct BotConfig {
  std::string name;   ///< of this bot in logs; default: the account's name
  Server server;
  Account account;
  Game game;
  Schedule schedule;
  Engine engine;
  Ponder ponder = Ponder::off;
  Time time;
  Records records;
  Book book;
  Archive archive;
  Journal journal;
  Stop stop;
  std::vector<Notify> notify;  ///< who is told what
  Log log;
  std::vector<SettingRule> rules;  ///< for single games, in the order in which they apply
};

}  // namespace kakehashi::config
