// How a bot reaches its server, and who it is there: the sections `server` and `account`. How the layers of a connection
// work is csa/io's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/secret.hpp"
#include "base/time.hpp"
#include "csa/server_address.hpp"

namespace kakehashi::config {

using base::Millis;
using base::Seconds;

/// A section that its settings switch on, or `true` alone.
struct Tls : csa::TlsSettings {
  bool enabled = false;
};
struct WebSocket : csa::WebSocketSettings {
  bool enabled = false;
};

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
  std::optional<csa::ProxySettings> proxy;
  std::string proxy_password_file;  ///< for the user in `proxy`; one trailing newline is dropped
  Millis connect_timeout{15'000};
  Millis login_timeout{30'000};
  /// Idle time after which an empty line is sent; at least 30 s (protocol rule).
  Seconds keepalive{50};
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

  /// "host:port", for people.
  [[nodiscard]] std::string place() const { return host + ":" + std::to_string(port); }
  /// For the link, which waits a little less than the core allows: it knows what it waited for, and says so first.
  [[nodiscard]] csa::ServerAddress address() const {
    return {host, port, connect_timeout - connect_timeout / 20, tcp_keepalive, proxy,
            tls.enabled ? std::optional<csa::TlsSettings>(tls) : std::nullopt,
            websocket.enabled ? std::optional<csa::WebSocketSettings>(websocket) : std::nullopt};
  }
};

struct Account {
  std::string name;             ///< required; [A-Za-z0-9_@.-], at most 32 bytes
  /// The trip (floodgate) or plain password, from exactly one of the sources below.
  base::Secret password;
  std::string password_file;        ///< path; one trailing newline is dropped
  std::string password_env;         ///< name of an environment variable
  std::string password_credential;  ///< name of a systemd credential
};

}  // namespace kakehashi::config

#ifdef KAKEHASHI_DECLARES_SETTINGS
#include "config/schema/declare.hpp"

namespace kakehashi::config {

inline void declare(SettingsOf<Tls> tls) {
  tls.text("ca_file", &Tls::ca_file, judge_path, any_path(), expert,
      say("The certificates of the authorities to trust, in PEM form, in place of the system's."),
      say("the system's trust store"));
  tls.text("fingerprint", &Tls::fingerprint, judge_fingerprint,
      say("64 hexadecimal digits, with or without colons"), expert,
      say("The SHA-256 fingerprint of the server's certificate: this certificate is trusted and no other, whoever "
          "issued it, whatever its name and its dates."));
  tls.text("server_name", &Tls::server_name, judge_host, say("a name or an address"), expert,
      say("The name that is asked for (SNI) and that must be in the certificate."),
      verbatim("server.host"));
  tls.text("certificate_file", &Tls::certificate_file, judge_path, any_path(), expert,
      say("A client certificate with its chain, in PEM form, for servers that ask for one."));
  tls.text("key_file", &Tls::key_file, judge_path, any_path(), expert,
      say("Its private key, in PEM form and without a passphrase (chmod 600)."));
}

inline void declare(SettingsOf<WebSocket> websocket) {
  websocket.text("path", &WebSocket::path, judge_url_path,
      say("a path that begins with /, and a query"), common,
      say("The part of the address after the host and port."));
  websocket.text("origin", &WebSocket::origin, judge_origin,
      say("such as https://example.org"), expert,
      say("The Origin header, for servers that admit only certain ones."), say("none is sent"));
}

inline void declare(SettingsOf<Server> server) {
  server.text("host", &Server::host, judge_host,
      say("a name or an address, without port"), basic,
      say("The CSA server; floodgate is wdoor.c.u-tokyo.ac.jp.")).is_required = true;
  server.whole("port", &Server::port, 1, 65535, basic,
      say("Its TCP port."));
  server.on_switch("tls", &Server::tls, common,
      say("Whether to speak TLS: true, or the settings of server.tls below, which switch it on too. If it fails, "
          "nothing is sent unencrypted."));
  server.on_switch("websocket", &Server::websocket, common,
      say("Whether the server is a WebSocket, with one line in each message: true, or the settings of "
          "server.websocket below. ws://host:port/path is host, port and websocket: {path: /path}; wss:// has tls: "
          "true as well."));
  server.own("proxy", ProxyKey{}, common,
      say("A proxy to go through, SOCKS5 or HTTP (CONNECT); it looks up the server's name. In user and password %XX "
          "is any byte."),
      say("none: straight to the server"));
  server.text("proxy_password_file", &Server::proxy_password_file, judge_path, any_path(), expert,
      say("A file that holds the password of server.proxy's user, so that it need not be here; one newline at its "
          "end is dropped."));
  server.duration("connect_timeout", &Server::connect_timeout, 1s, 10min, expert,
      say("How long one attempt to connect may take."));
  server.duration("login_timeout", &Server::login_timeout, 1s, 10min, expert,
      say("How long the server may take to answer LOGIN."));
  server.duration("keepalive", &Server::keepalive, 30s, 1h, expert,
      say("After this long without a line an empty line is sent, so that the connection survives half an hour of "
          "waiting; the protocol forbids less than 30 s."));
  server.duration("tcp_keepalive", &Server::tcp_keepalive, 1s, 1h, expert,
      say("After this long without a byte the kernel asks whether the connection is still up, then every 5 s, six "
          "times. One that gives no sign of life for 45 s is given up; in a game that the server does not give back "
          "it is held as long as a move could still arrive in time."));
  server.duration("retry_max", &Server::retry_max, 1s, 24h, expert,
      say("The longest pause between two attempts to connect or log in; pauses start at 1 s and double."));
  server.flag("relogin", &Server::relogin, expert,
      say("Whether to log in again when the connection was closed while waiting or in a game; without it the bot "
          "leaves with status 69. Failed attempts to connect or log in are repeated in any case."));
  server.choice("after_game", &Server::after_game, {"auto", "reconnect", "stay"}, common,
      say("After a game: reconnect closes and logs in again at once, as floodgate expects; stay waits on the same "
          "connection, as tournament servers expect; auto reconnects where game.name is set, stays where it is not, "
          "or where server.mode is x1, and reconnects there too once the server was seen to close what it had stayed "
          "on."));
  server.choice("logout", &Server::logout, {"auto", "always", "never"}, expert,
      say("When to say LOGOUT: auto on the way out, where the connection is kept between games; always also before "
          "each new login; never closes the connection without a word."));
  server.choice("mode", &Server::mode, {"csa", "x1"}, common,
      say("csa logs in as the CSA protocol says; x1 is shogi-server's extended mode, which Denryu-sen asks for: the "
          "password is sent alone, and game.name is asked for with %%GAME."));
  server.flag("challenge", &Server::challenge, expert,
      say("Whether to say CHALLENGE when waiting for a game, for servers that pair only who says so."));
  declare(server.section("tls", &Server::tls,
      say("How the server is trusted. See [TLS](servers.md#tls).")));
  declare(server.section("websocket", &Server::websocket,
      say("What a WebSocket server is asked for.")));
}

inline void declare(SettingsOf<Account> account) {
  account.text("name", &Account::name, judge_account_name,
      say("1 to 32 letters, digits and _ @ - ."), basic,
      say("The name to log in with; the server shows it to everyone.")).is_required = true;
  account.text("password_file", &Account::password_file, judge_path, any_path(), basic,
      say("A file that holds the trip or password and nothing else; one newline at its end is dropped. Make it "
          "readable by its owner only (chmod 600)."));
  account.text("password_env", &Account::password_env, judge_variable,
      say("the name of a variable, without a $"), common,
      say("An environment variable that holds the trip or password instead."));
  account.text("password_credential", &Account::password_credential, judge_credential,
      say("a name without /"), common,
      say("A systemd credential that holds it instead: the NAME of LoadCredential=NAME:PATH in the unit."));
}

}  // namespace kakehashi::config
#endif
