// What a socket to a server needs so that moves leave at once and a dead line is noticed. Each
// option only improves matters; a kernel that lacks one still plays.
#pragma once

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <optional>

#include "base/time.hpp"

namespace kakehashi::csa::io {

/// Once, on a connected socket; after so much silence the kernel asks for a sign of life. True: the kernel
/// (Linux 6.15 or later) repeats what got no answer at least once a second; false: see RepeatPace.
bool set_options(boost::asio::ip::tcp::socket& socket, std::chrono::seconds keepalive_idle);

/// For how long the other side may leave what was sent, or a keepalive, without an acknowledgement before the
/// connection counts as dead (TCP_USER_TIMEOUT). May be changed at any time.
void set_patience(boost::asio::ip::tcp::socket& socket, base::Millis patience);
/// A line that died silently is noticed within three quarters of a minute, unless it is held longer for a game.
/// Shorter limits would give up connections that a short outage would have left alive.
inline constexpr base::Millis patience_min{45'000};

/// Whether something that was sent got no acknowledgement and is repeated.
[[nodiscard]] bool is_repeating(boost::asio::ip::tcp::socket& socket);

/// TCP doubles the pause between two repetitions: behind an outage of a minute the next one would come up to a
/// minute later, and nothing provokes it: not new data, not another connection, not closing. But the kernel cuts
/// that pause to what is left of TCP_USER_TIMEOUT. So a timeout that stays a few seconds ahead while something is
/// repeated, and is the real patience otherwise, keeps repetitions coming. Whoever looks must not be late by
/// more than `ahead`: then the line would die in the middle of an outage.
class RepeatPace {
 public:
  static constexpr base::Millis look_every{1'000};
  static constexpr base::Millis ahead{5'000};

  /// The patience to set now.
  [[nodiscard]] base::Millis timeout(bool is_repeating, base::Millis patience, base::SteadyTime now) {
    if (!is_repeating) {
      answered_ = now;
      return patience;
    }
    return std::min(patience, base::millis_between(answered_.value_or(now), now) + ahead);
  }

 private:
  std::optional<base::SteadyTime> answered_;  ///< when nothing was repeated for the last time
};

/// After each read: shogi-server leaves Nagle's algorithm on, and without quick acknowledgements a
/// move waits up to 40 ms for ours. It holds for what has been read, and is to be said again for the next.
void acknowledge_quickly(boost::asio::ip::tcp::socket& socket);

/// What the kernel knows of a connection's way (TCP_INFO).
struct TcpQuality {
  std::chrono::microseconds rtt{0};        ///< smoothed round trip
  std::chrono::microseconds variance{0};   ///< its mean deviation
};

/// Nothing when the kernel does not say, or has measured nothing yet.
[[nodiscard]] std::optional<TcpQuality> tcp_quality(int socket);

}  // namespace kakehashi::csa::io
