#include "csa/io/socket_options.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

namespace kakehashi::csa::io {
namespace {

// A line that died silently is noticed within three quarters of a minute, unless configured
// otherwise. Shorter limits would give up connections, and with them games, that a short outage
// would have left alive.
constexpr int keepalive_interval_s = 5;
constexpr int keepalive_count = 6;
constexpr int user_timeout_ms = 45'000;

void set(boost::asio::ip::tcp::socket& socket, int level, int name, int value) {
  (void)::setsockopt(socket.native_handle(), level, name, &value, sizeof value);
}

}  // namespace

void set_options(boost::asio::ip::tcp::socket& socket, std::chrono::seconds keepalive_idle) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(keepalive_idle.count()));
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, keepalive_interval_s);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, keepalive_count);
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, user_timeout_ms);
}

void acknowledge_quickly(boost::asio::ip::tcp::socket& socket) {
  set(socket, IPPROTO_TCP, TCP_QUICKACK, 1);
}

}  // namespace kakehashi::csa::io
