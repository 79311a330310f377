#include "csa/io/socket_options.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>


namespace kakehashi::csa::io {

namespace {

constexpr int keepalive_interval_s = 5;
constexpr int keepalive_count = 6;

// Linux 6.15 bounds the pauses between repetitions, to no less than a second; the headers may be older.
constexpr int tcp_rto_max_ms = 44;
constexpr int repeat_pause_max_ms = 1'000;

bool set(boost::asio::ip::tcp::socket& socket, int level, int name, int value) {
  return ::setsockopt(socket.native_handle(), level, name, &value, sizeof value) == 0;
}

}  // namespace

bool set_options(boost::asio::ip::tcp::socket& socket, std::chrono::seconds keepalive_idle) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(socket, IPPROTO_TCP, TCP_KEEPIDLE, static_cast<int>(keepalive_idle.count()));
  set(socket, IPPROTO_TCP, TCP_KEEPINTVL, keepalive_interval_s);
  set(socket, IPPROTO_TCP, TCP_KEEPCNT, keepalive_count);
  set(socket, IPPROTO_TCP, TCP_THIN_LINEAR_TIMEOUTS, 1);  // the first six pauses do not grow
  set_patience(socket, patience_min);
  return set(socket, IPPROTO_TCP, tcp_rto_max_ms, repeat_pause_max_ms);
}

void set_patience(boost::asio::ip::tcp::socket& socket, base::Millis patience) {
  set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(patience.count()));
}

bool is_repeating(boost::asio::ip::tcp::socket& socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         info.tcpi_retransmits > 0;
}

void acknowledge_quickly(boost::asio::ip::tcp::socket& socket) {
  // Linux, tcp.c: an even number sends what is owed and does not ask for more. With 1 the kernel would send the
  // next one inside of the read that brings the next line, and that line waits for it.
  constexpr int once = 2;
  set(socket, IPPROTO_TCP, TCP_QUICKACK, once);
}

std::optional<TcpQuality> tcp_quality(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || info.tcpi_rtt == 0) {
    return std::nullopt;
  }
  return TcpQuality{std::chrono::microseconds{info.tcpi_rtt},
                    std::chrono::microseconds{info.tcpi_rttvar}};
}

}  // namespace kakehashi::csa::io
