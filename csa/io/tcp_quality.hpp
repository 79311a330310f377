// What the kernel knows of a TCP connection's way: TCP_INFO, and nothing else.
#pragma once

#include <chrono>
#include <optional>

namespace kakehashi::csa::io {

struct TcpQuality {
  std::chrono::microseconds rtt{0};        ///< smoothed round trip
  std::chrono::microseconds variance{0};   ///< its mean deviation
};

/// Nothing when the kernel does not say, or has measured nothing yet.
[[nodiscard]] std::optional<TcpQuality> tcp_quality(int socket);

}  // namespace kakehashi::csa::io
