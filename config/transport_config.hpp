// What lies between a bot and its server, as plain structs: TLS, WebSocket, a proxy. Part of
// bot_config, which holds them; how they work is csa/io's business.
#pragma once

#include <cstdint>
#include <string>

#include "base/secret.hpp"

namespace kakehashi::config {

struct Tls {
  bool enabled = false;
  std::string ca_file;           ///< PEM; empty: the system's trust store
  std::string certificate_file;  ///< of the client; goes with key_file
  std::string key_file;
  std::string fingerprint;       ///< SHA-256 of the only certificate to trust; empty: none
  std::string server_name;       ///< in place of the host; empty: the host
};

struct WebSocket {
  bool enabled = false;
  std::string path = "/";  ///< and query
  std::string origin;      ///< empty: no Origin header
};

struct Proxy {
  enum class Kind { none, socks5, http };

  Kind kind = Kind::none;
  std::string host;  ///< an IPv6 address without brackets
  std::uint16_t port = 0;
  std::string user;  ///< empty: no credentials
  base::Secret password;
};

}  // namespace kakehashi::config
