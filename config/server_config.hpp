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
  std::optional<csa::ProxySettings> proxy;
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

  /// "host:port", for people.
  [[nodiscard]] std::string place() const { return host + ":" + std::to_string(port); }
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
  using enum Level;
  tls.text("ca_file", &Tls::ca_file, judge_path, any_path, expert,
      {"The certificates of the authorities to trust, in PEM form, in place of the system's.",
       "信頼する認証局の証明書(PEM)。システムのものの代わりに使う。"},
      {"the system's trust store", "システムの認証局"});
  tls.text("fingerprint", &Tls::fingerprint, judge_fingerprint,
      {"64 hexadecimal digits, with or without colons", "16 進 64 桁(コロンの有無は問わない)"}, expert,
      {"The SHA-256 fingerprint of the server's certificate: this certificate is trusted and no other, whoever "
       "issued it, whatever its name and its dates.",
       "サーバー証明書の SHA-256 フィンガープリント。発行者、名前、期限によらず、この証明書だけを信頼する。"});
  tls.text("server_name", &Tls::server_name, judge_host, {"a name or an address", "名前かアドレス"}, expert,
      {"The name that is asked for (SNI) and that must be in the certificate.",
       "求める名前(SNI)。証明書にもこの名前がなければならない。"},
      {"server.host"});
  tls.text("certificate_file", &Tls::certificate_file, judge_path, any_path, expert,
      {"A client certificate with its chain, in PEM form, for servers that ask for one.",
       "クライアント証明書(中間証明書を含む PEM)。クライアント証明書を求めるサーバーで使う。"});
  tls.text("key_file", &Tls::key_file, judge_path, any_path, expert,
      {"Its private key, in PEM form and without a passphrase (chmod 600).",
       "その秘密鍵(PEM、パスフレーズなし、chmod 600)。"});
}

inline void declare(SettingsOf<WebSocket> websocket) {
  using enum Level;
  websocket.text("path", &WebSocket::path, judge_url_path,
      {"a path that begins with /, and a query", "/ で始まるパスとクエリー"}, common,
      {"The part of the address after the host and port.", "アドレスのうち、ホストとポートの後ろ。"});
  websocket.text("origin", &WebSocket::origin, judge_origin,
      {"such as https://example.org", "https://example.org など"}, expert,
      {"The Origin header, for servers that admit only certain ones.",
       "Origin ヘッダー。特定のものだけを受け入れるサーバーのため。"},
      {"none is sent", "送らない"});
}

inline void declare(SettingsOf<Server> server) {
  using enum Level;
  using namespace std::chrono_literals;
  server.text("host", &Server::host, judge_host,
      {"a name or an address, without port", "名前かアドレス(ポートなし)"}, basic,
      {"The CSA server; floodgate is wdoor.c.u-tokyo.ac.jp.",
       "CSA サーバー。floodgate は wdoor.c.u-tokyo.ac.jp。"}).is_required = true;
  server.whole("port", &Server::port, 1, 65535, basic,
      {"Its TCP port.", "その TCP ポート。"});
  server.on_switch("tls", &Server::tls, common,
      {"Whether to speak TLS: true, or the settings of server.tls below, which switch it on too. If it fails, "
       "nothing is sent unencrypted.",
       "TLS を使うか。true か、下の server.tls の設定(書けば有効になる)。失敗しても暗号化なしの接続には戻らない。"});
  server.on_switch("websocket", &Server::websocket, common,
      {"Whether the server is a WebSocket, with one line in each message: true, or the settings of "
       "server.websocket below. ws://host:port/path is host, port and websocket: {path: /path}; wss:// has tls: "
       "true as well.",
       "サーバーが 1 行 1 メッセージの WebSocket か。true か、下の server.websocket の設定(書けば有効になる)。"
       "ws://host:port/path は host と port と websocket: {path: /path}、wss:// はさらに tls: true。"});
  server.own("proxy", ProxyKey{}, common,
      {"A proxy to go through, SOCKS5 or HTTP (CONNECT); it looks up the server's name. In user and password %XX "
       "is any byte.",
       "経由するプロキシ。SOCKS5 か HTTP(CONNECT)。サーバーの名前はプロキシが解決する。user と password の中の %XX は"
       "任意の 1 バイト。"},
      {"none: straight to the server", "なし(直接つなぐ)"});
  server.text("proxy_password_file", &Server::proxy_password_file, judge_path, any_path, expert,
      {"A file that holds the password of server.proxy's user, so that it need not be here; one newline at its "
       "end is dropped.",
       "server.proxy の user のパスワードが入ったファイル。設定ファイルに書かずに済む。末尾の改行 1 つは取り除く。"});
  server.duration("connect_timeout", &Server::connect_timeout, 1s, 10min, expert,
      {"How long one attempt to connect may take.", "1 回の接続にかけてよい時間。"});
  server.duration("login_timeout", &Server::login_timeout, 1s, 10min, expert,
      {"How long the server may take to answer LOGIN.", "サーバーが LOGIN に答えるまでの時間。"});
  server.duration("keepalive", &Server::keepalive, 30s, 1h, expert,
      {"After this long without a line an empty line is sent, so that the connection survives half an hour of "
       "waiting; the protocol forbids less than 30 s.",
       "これだけ何も送らなければ空行を送り、30 分待っても接続が保たれるようにする。プロトコルは 30 秒未満を禁じ"
       "る。"});
  server.choice("keepalive_form", &Server::keepalive_form, {"blank", "space"}, expert,
      {"What is sent then: an empty line, or a space and a line end, which only shogi-server takes and which it "
       "does not answer.",
       "そのとき送るもの。空行か、空白 1 つと改行。後者を受け付けるのは shogi-server だけで、返事はない。"});
  server.duration("tcp_keepalive", &Server::tcp_keepalive, 1s, 1h, expert,
      {"After this long without a byte the kernel asks whether the connection is still up, then every 5 s, six times. "
       "One that gives no sign of life for 45 s is given up; in a game that the server does not give back it is "
       "held as long as a move could still arrive in time.",
       "これだけ 1 バイトも来なければ、接続が生きているかカーネルが確かめる。その後 5 秒ごとに 6 回。45 秒たっても応"
       "答のない接続は切る。対局を返してくれないサーバーでは、対局中は指し手が間に合ううちは切らない。"});
  server.duration("retry_max", &Server::retry_max, 1s, 24h, expert,
      {"The longest pause between two attempts to connect or log in; pauses start at 1 s and double.",
       "接続やログインを試す間隔の最大。1 秒から始まり倍になる。"});
  server.flag("relogin", &Server::relogin, expert,
      {"Whether to log in again when the connection was closed while waiting or in a game; without it the bot leaves "
       "with status 69. Failed attempts to connect or log in are repeated in any case.",
       "待っている間や対局中に接続が切れたとき、ログインし直すか。しないなら終了コード 69 で終わる。接続やログインの"
       "失敗は、いずれにせよ繰り返す。"});
  server.choice("after_game", &Server::after_game, {"auto", "reconnect", "stay"}, common,
      {"After a game: reconnect closes and logs in again at once, as floodgate expects; stay waits on the same "
       "connection, as tournament servers expect; auto reconnects where game.name is set, stays where it is not, or where "
       "server.mode is x1, and reconnects there too once the server was seen to close what it had stayed on.",
       "対局のあと。reconnect は閉じてすぐログインし直す(floodgate 向け)。stay は同じ接続で待つ(大会のサーバー向け)。"
       "auto は game.name があれば reconnect、なければ(または server.mode が x1 なら)stay。待っていた接続をサーバーが"
       "閉じたときは、その後 reconnect になる。"});
  server.choice("logout", &Server::logout, {"auto", "always", "never"}, expert,
      {"When to say LOGOUT: auto on the way out, where the connection is kept between games; always also before "
       "each new login; never closes the connection without a word.",
       "LOGOUT をいつ送るか。auto は対局の間も接続を保つ場合に、終わるときだけ。always は新しくログインする前にも。"
       "never は何も送らずに閉じる。"});
  server.choice("mode", &Server::mode, {"csa", "x1"}, common,
      {"csa logs in as the CSA protocol says; x1 is shogi-server's extended mode, which Denryu-sen asks for: the "
       "password is sent alone, and game.name is asked for with %%GAME.",
       "csa は CSA プロトコルのとおりにログインする。x1 は shogi-server の拡張モードで、電竜戦が求める。パスワード"
       "だけを送り、game.name は %%GAME で申し込む。"});
  server.flag("challenge", &Server::challenge, expert,
      {"Whether to say CHALLENGE when waiting for a game, for servers that pair only who says so.",
       "対局を待つとき CHALLENGE を送るか。送った者だけを組むサーバーのため。"});
  declare(server.section("tls", &Server::tls,
      {"How the server is trusted. See [TLS](servers.md#tls).",
       "サーバーをどう信頼するか。詳しくは [TLS](servers.ja.md#tls)。"}));
  declare(server.section("websocket", &Server::websocket,
      {"What a WebSocket server is asked for.", "WebSocket のサーバーに何を求めるか。"}));
}

inline void declare(SettingsOf<Account> account) {
  using enum Level;
  account.text("name", &Account::name, judge_account_name,
      {"1 to 32 letters, digits and _ @ - .", "英数字と _ @ - . で 1〜32 文字"}, basic,
      {"The name to log in with; the server shows it to everyone.",
       "ログインする名前。サーバー上で公開される。"}).is_required = true;
  account.text("password_file", &Account::password_file, judge_path, any_path, basic,
      {"A file that holds the trip or password and nothing else; one newline at its end is dropped. Make it "
       "readable by its owner only (chmod 600).",
       "trip かパスワードだけが入ったファイル。末尾の改行 1 つは取り除く。所有者だけが読めるようにする(chmod "
       "600)。"});
  account.text("password_env", &Account::password_env, judge_variable,
      {"the name of a variable, without a $", "変数の名前($ なし)"}, common,
      {"An environment variable that holds the trip or password instead.",
       "代わりに trip かパスワードが入った環境変数。"});
  account.text("password_credential", &Account::password_credential, judge_credential,
      {"a name without /", "/ を含まない名前"}, common,
      {"A systemd credential that holds it instead: the NAME of LoadCredential=NAME:PATH in the unit.",
       "代わりにそれが入った systemd の credential。ユニットの LoadCredential=NAME:PATH の NAME。"});
}

}  // namespace kakehashi::config
#endif
