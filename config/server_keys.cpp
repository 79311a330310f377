#include "config/server_keys.hpp"

#include "config/member_key.hpp"

namespace kakehashi::config {
namespace {

using namespace std::chrono_literals;

constexpr bool required = true;
constexpr bool optional = false;

}  // namespace

std::vector<Key> server_keys() {
  using B = BotConfig;
  using S = Server;
  return {
      {"server.host", text<&B::server, &S::host>(judge_host, "a name or an address, without port"),
       required, "The CSA server; floodgate is wdoor.c.u-tokyo.ac.jp.", ""},
      {"server.port", whole<&B::server, &S::port>(1, 65535), optional, "Its TCP port.", ""},
      {"server.tls", flag<&B::server, &S::tls, &Tls::enabled>(), optional,
       "Whether to speak TLS: true, or the settings of server.tls below, which switch it on too. "
       "There is no way back to an unencrypted connection when it fails.",
       ""},
      {"server.websocket", flag<&B::server, &S::websocket, &WebSocket::enabled>(), optional,
       "Whether the server is a WebSocket, with one line in each message: true, or the settings of "
       "server.websocket below. ws://host:port/path is host, port and websocket: {path: /path}; "
       "wss:// has tls: true as well.",
       ""},
      {"server.proxy", ProxyKey{}, optional,
       "A proxy to go through, SOCKS5 or HTTP (CONNECT); it looks up the server's name. In user and "
       "password %XX stands for any byte.",
       "none: straight to the server"},
      {"server.proxy_password_file",
       text<&B::server, &S::proxy_password_file>(judge_path, any_path), optional,
       "A file that holds the password of server.proxy's user, so that it need not stand here; one "
       "newline at its end is dropped.",
       ""},
      {"server.connect_timeout", duration<&B::server, &S::connect_timeout>(1s, 10min), optional,
       "How long one attempt to connect may take.", ""},
      {"server.login_timeout", duration<&B::server, &S::login_timeout>(1s, 10min), optional,
       "How long the server may take to answer LOGIN.", ""},
      {"server.keepalive", duration<&B::server, &S::keepalive>(30s, 1h), optional,
       "After this long without a line an empty line is sent, so that the connection survives "
       "half an hour of waiting; the protocol forbids less than 30 s.",
       ""},
      {"server.keepalive_form",
       choice<&B::server, &S::keepalive_form>({"blank", "space"}), optional,
       "What is sent then: an empty line, or a space and a line end, which only shogi-server takes "
       "and which it does not answer.",
       ""},
      {"server.tcp_keepalive", duration<&B::server, &S::tcp_keepalive>(1s, 1h), optional,
       "After this long without a byte the kernel asks whether the line still stands, then every 5 s, "
       "six times. A line that gives no sign of life for 45 s is given up; in a game that the server does "
       "not give back it is held as long as a move could still arrive in time.",
       ""},
      {"server.retry_max", duration<&B::server, &S::retry_max>(1s, 24h), optional,
       "The longest pause between two attempts to connect or log in; pauses start at 1 s and "
       "double.",
       ""},
      {"server.relogin", flag<&B::server, &S::relogin>(), optional,
       "Whether to log in again when the line was closed while waiting or in a game; without it the "
       "bot leaves with status 69. Failed attempts to connect or log in are repeated in any case.",
       ""},
      {"server.after_game",
       choice<&B::server, &S::after_game>({"auto", "reconnect", "stay"}), optional,
       "After a game: reconnect closes and logs in again at once, as floodgate expects; stay waits "
       "on the same connection, as tournament servers expect; auto reconnects where game.name is "
       "set and stays where it is not, or where server.mode is x1.",
       ""},
      {"server.logout", choice<&B::server, &S::logout>({"auto", "always", "never"}), optional,
       "When to say LOGOUT: auto on the way out, where the connection is kept between games; always "
       "also before each new login; never closes the connection without a word.",
       ""},
      {"server.mode", choice<&B::server, &S::mode>({"csa", "x1"}), optional,
       "csa logs in as the CSA protocol says; x1 is shogi-server's extended mode, which Denryu-sen "
       "asks for: the password is sent alone, and game.name is asked for with %%GAME.",
       ""},
      {"server.challenge", flag<&B::server, &S::challenge>(), optional,
       "Whether to say CHALLENGE when waiting for a game, for servers that pair only who says so.",
       ""},
  };
}

std::vector<Key> tls_keys() {
  using B = BotConfig;
  using S = Server;
  return {
      {"server.tls.ca_file", text<&B::server, &S::tls, &Tls::ca_file>(judge_path, any_path), optional,
       "The certificates of the authorities to trust, in PEM form, in place of the system's.",
       "the system's trust store"},
      {"server.tls.fingerprint",
       text<&B::server, &S::tls, &Tls::fingerprint>(judge_fingerprint,
                                                    "64 hexadecimal digits, with or without colons"),
       optional,
       "The SHA-256 fingerprint of the server's certificate: this certificate is trusted and no "
       "other, whoever issued it, whatever its name and its dates.",
       ""},
      {"server.tls.server_name",
       text<&B::server, &S::tls, &Tls::server_name>(judge_host, "a name or an address"), optional,
       "The name that is asked for (SNI) and that must stand in the certificate.", "server.host"},
      {"server.tls.certificate_file",
       text<&B::server, &S::tls, &Tls::certificate_file>(judge_path, any_path), optional,
       "A client certificate with its chain, in PEM form, for servers that ask for one.", ""},
      {"server.tls.key_file", text<&B::server, &S::tls, &Tls::key_file>(judge_path, any_path),
       optional, "Its private key, in PEM form and without a passphrase (chmod 600).", ""},
  };
}

std::vector<Key> websocket_keys() {
  using B = BotConfig;
  using S = Server;
  return {
      {"server.websocket.path",
       text<&B::server, &S::websocket, &WebSocket::path>(judge_url_path,
                                                         "a path that begins with /, and a query"),
       optional, "The part of the address behind the host and port.", ""},
      {"server.websocket.origin",
       text<&B::server, &S::websocket, &WebSocket::origin>(judge_origin,
                                                           "such as https://example.org"),
       optional, "The Origin header, for servers that admit only certain ones.", "none is sent"},
  };
}

}  // namespace kakehashi::config
