#include "csa/io/tcp_quality.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace kakehashi::csa::io {

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
