#include "daemon/server_address.hpp"

namespace kakehashi::daemon {

csa::ServerAddress address_of(const config::Server& server) {
  csa::ServerAddress made;
  made.host = server.host;
  made.port = server.port;
  // A little less than the core allows: the link knows what it waited for, and says so first.
  made.connect_timeout = server.connect_timeout - server.connect_timeout / 20;
  made.tcp_keepalive = server.tcp_keepalive;
  made.proxy = server.proxy;
  if (server.tls.enabled) {
    made.tls = server.tls;
  }
  if (server.websocket.enabled) {
    made.websocket = server.websocket;
  }
  return made;
}

}  // namespace kakehashi::daemon
