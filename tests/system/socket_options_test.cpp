// What is set on the socket of a server's line.
#include "csa/io/socket_options.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>

#include "bridge/io/server_address.hpp"

namespace kakehashi::csa::io {
namespace {

using Tcp = boost::asio::ip::tcp;

int option_of(Tcp::socket& socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(socket.native_handle(), level, name, &value, &size), 0);
  return value;
}

TEST(SocketOptions, the_configured_silence_is_what_the_kernel_waits_for) {
  config::Server server;
  server.tcp_keepalive = base::Seconds{77};
  boost::asio::io_context context;
  Tcp::socket socket(context, Tcp::v4());
  set_options(socket, bridge::io::address_of(server).tcp_keepalive);
  EXPECT_EQ(option_of(socket, SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE), 77);
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_NODELAY), 1);
}

}  // namespace
}  // namespace kakehashi::csa::io
