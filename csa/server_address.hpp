// Where a server is and what lies between its socket and its lines: plain data, without a rule.
// What a user may write is config's business; the order of the layers is io/layer_stack's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/secret.hpp"
#include "base/time.hpp"

namespace kakehashi::csa {

struct TlsSettings {
  std::string ca_file;           ///< PEM; empty: the system's trust store
  std::string certificate_file;  ///< PEM, with its chain; empty: no client certificate
  std::string key_file;          ///< PEM, without a passphrase
  /// SHA-256 of the server's certificate, 64 hexadecimal digits, colons between bytes allowed. With
  /// it, this very certificate is trusted and nothing else is asked of it.
  std::string fingerprint;
  std::string server_name;  ///< in place of the host, for SNI and for the names in the certificate
};

struct WebSocketSettings {
  std::string path = "/";  ///< and query
  std::string origin;      ///< the Origin header; empty: none
};

struct ProxySettings {
  enum class Kind { socks5, http };

  Kind kind = Kind::socks5;
  std::string host;  ///< an IPv6 address without brackets
  std::uint16_t port = 1080;
  std::string user;  ///< empty: no credentials; at most 255 bytes, as the password (RFC 1929)
  base::Secret password;
};

struct ServerAddress {
  std::string host;  ///< a name, or an IPv4 or IPv6 address without brackets
  std::uint16_t port = 4081;
  /// For everything up to the first line together: looking the name up, all its addresses, the
  /// proxy, TLS and WebSocket. Each address gets an equal share of what remains, so that one dead
  /// address never uses up the time of the next.
  base::Millis connect_timeout{15'000};
  /// Silence after which the kernel asks whether the line still stands.
  std::chrono::seconds tcp_keepalive{15};
  std::optional<ProxySettings> proxy;
  std::optional<TlsSettings> tls;
  std::optional<WebSocketSettings> websocket;
};

/// "example.org:4081", "[::1]:4081".
[[nodiscard]] inline std::string format_host(const std::string& host, std::uint16_t port) {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

/// refused: no connection came about, all its layers included. eof: the server closed. broken: everything else, such as
/// a reset, a timeout, a line over the bound. Journals spell it by its number.
enum class HowClosed { refused, eof, broken };

}  // namespace kakehashi::csa
