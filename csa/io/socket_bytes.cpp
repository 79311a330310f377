#include "csa/io/socket_bytes.hpp"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>

namespace kakehashi::csa::io {

namespace {

std::optional<std::uint64_t> bytes_acknowledged(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
      size < offsetof(tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) {
    return std::nullopt;
  }
  return info.tcpi_bytes_acked;
}

}  // namespace

std::optional<std::uint64_t> bytes_taken(int socket) {
  for (;;) {
    const auto before = bytes_acknowledged(socket);
    int unacknowledged = 0;
    if (!before || ::ioctl(socket, SIOCOUTQ, &unacknowledged) != 0) {
      return std::nullopt;
    }
    if (before == bytes_acknowledged(socket)) {  // else some came in between, and would be missing in both
      return *before + static_cast<std::uint64_t>(unacknowledged);
    }
  }
}

}  // namespace kakehashi::csa::io
