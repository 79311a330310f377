// What a socket to a server needs so that moves leave at once and a dead line is noticed. Each
// option only improves matters; a kernel that lacks one still plays.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>

namespace kakehashi::csa::io {

/// Once, on a connected socket; after so much silence the kernel asks for a sign of life.
void set_options(boost::asio::ip::tcp::socket& socket, std::chrono::seconds keepalive_idle);

/// After each read: shogi-server leaves Nagle's algorithm on, and without quick acknowledgements a
/// move waits up to 40 ms for ours. The kernel forgets the option.
void acknowledge_quickly(boost::asio::ip::tcp::socket& socket);

}  // namespace kakehashi::csa::io
