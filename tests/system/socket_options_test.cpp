// What is set on the socket of a server's line.
#include "csa/io/socket_options.hpp"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>

#include "config/server_config.hpp"

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
  set_options(socket, server.address().tcp_keepalive);
  EXPECT_EQ(option_of(socket, SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_KEEPIDLE), 77);
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT), 45'000);
  set_patience(socket, base::Millis{640'000});
  EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_USER_TIMEOUT), 640'000);
}

TEST(RepeatPace, is_the_patience_while_everything_is_acknowledged) {
  RepeatPace pace;
  EXPECT_EQ(pace.timeout(false, base::Millis{325'000}, base::SteadyTime{}), base::Millis{325'000});
}

TEST(RepeatPace, stays_a_few_seconds_ahead_while_something_is_repeated_and_ends_at_the_patience) {
  const base::SteadyTime began;
  const base::Millis patience{60'000};
  RepeatPace pace;
  static_cast<void>(pace.timeout(false, patience, began));
  for (int s = 1; s <= 55; ++s) {
    EXPECT_EQ(pace.timeout(true, patience, began + base::Seconds{s}), base::Millis{s * 1'000 + 5'000});
  }
  EXPECT_EQ(pace.timeout(true, patience, began + base::Seconds{56}), patience);
  EXPECT_EQ(pace.timeout(false, patience, began + base::Seconds{57}), patience);
  EXPECT_EQ(pace.timeout(true, patience, began + base::Seconds{58}), base::Millis{6'000});
}

}  // namespace
}  // namespace kakehashi::csa::io
