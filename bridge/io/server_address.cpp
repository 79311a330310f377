#include "bridge/io/server_address.hpp"

namespace kakehashi::bridge::io {
namespace {

csa::io::ProxySettings proxy_of(const config::Proxy& proxy) {
  csa::io::ProxySettings made;
  made.kind = proxy.kind == config::Proxy::Kind::http ? csa::io::ProxySettings::Kind::http
                                                      : csa::io::ProxySettings::Kind::socks5;
  made.host = proxy.host;
  made.port = proxy.port;
  made.user = proxy.user;
  made.password = proxy.password;
  return made;
}

}  // namespace

csa::io::ServerAddress address_of(const config::Server& server) {
  csa::io::ServerAddress made;
  made.host = server.host;
  made.port = server.port;
  // A little less than the core allows: the link knows what it waited for, and says so first.
  made.connect_timeout = server.connect_timeout - server.connect_timeout / 20;
  made.tcp_keepalive = server.tcp_keepalive;
  if (server.proxy.kind != config::Proxy::Kind::none) {
    made.proxy = proxy_of(server.proxy);
  }
  if (server.tls.enabled) {
    const auto& tls = server.tls;
    made.tls = csa::io::TlsSettings{tls.ca_file, tls.certificate_file, tls.key_file,
                                    tls.fingerprint, tls.server_name};
  }
  if (server.websocket.enabled) {
    made.websocket = csa::io::WebSocketSettings{server.websocket.path, server.websocket.origin};
  }
  return made;
}

}  // namespace kakehashi::bridge::io
