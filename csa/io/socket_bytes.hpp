// What the kernel counts of a TCP connection. By itself, since its own header knows fields that the C library's does not.
#pragma once

#include <cstdint>
#include <optional>

namespace kakehashi::csa::io {

/// So many bytes the kernel has taken to send since the connection was made, whether they have arrived or not (RFC 4898,
/// tcpEStatsAppHCThruOctetsAcked, and SIOCOUTQ: tcp(7)). Nothing where it does not say.
[[nodiscard]] std::optional<std::uint64_t> bytes_taken(int socket);

}  // namespace kakehashi::csa::io
