#include "csa/io/socket_bytes.hpp"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace kakehashi::csa::io {

std::optional<std::uint64_t> bytes_taken(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  int unacknowledged = 0;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked ||
      ::ioctl(socket, SIOCOUTQ, &unacknowledged) != 0) {
    return std::nullopt;
  }
  return info.tcpi_bytes_acked + static_cast<std::uint64_t>(unacknowledged);
}

}  // namespace kakehashi::csa::io
